//! Generated sample characters, clips and rigs.
