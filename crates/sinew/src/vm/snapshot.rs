//! A character's state as plain bytes: for rollback, for files, for the wire.
//!
//! A snapshot is a header of [`HEADER`] bytes (magic number, format, fingerprint of program and
//! skeleton), then words, little-endian. One and many lanes write the same bytes, on every machine.

use super::BoundProgram;

/// Magic number, format version, fingerprint.
pub(super) const HEADER: usize = 16;
const MAGIC: [u8; 4] = *b"SNWS";
const FORMAT: u32 = 1;

/// Why bytes cannot be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// They do not begin as a snapshot does.
    #[error("this is no snapshot: it does not begin as one")]
    NoSnapshot,
    /// They are of another version of the format.
    #[error("the snapshot is of format {0}, this is format {FORMAT}; take it anew")]
    Format(u32),
    /// They are of another program or skeleton.
    #[error("the snapshot is of another program or skeleton; bind the one it was taken of")]
    OtherProgram,
    /// Bytes are missing or too many.
    #[error("the snapshot has {found} bytes where {want} belong: it was cut short or is damaged")]
    Length {
        /// How many there are.
        found: usize,
        /// How many there should be.
        want: usize,
    },
    /// The character has initial transforms of its own, which those of a crowd share.
    #[error(
        "the snapshot's initial transforms are not those that the crowd's members share; restore it into an Instance"
    )]
    Initials,
    /// What it says of members cannot be.
    #[error("the snapshot's list of members contradicts itself: it is damaged")]
    Members,
    /// The room that was given is not of the snapshot's length.
    #[error("the buffer has {found} bytes, the snapshot {want}")]
    Buffer {
        /// How long the buffer is.
        found: usize,
        /// How long it has to be.
        want: usize,
    },
}

/// Words one after another into bytes.
pub(super) struct Writer<'a> {
    out: core::slice::ChunksExactMut<'a, u8>,
}

impl<'a> Writer<'a> {
    /// Writes the header; the words follow. `out` must be long enough for a header.
    pub fn new(out: &'a mut [u8], fingerprint: u64) -> Self {
        let mut writer = Self { out: out.chunks_exact_mut(4) };
        writer.word(u32::from_le_bytes(MAGIC));
        writer.word(FORMAT);
        writer.long(fingerprint);
        writer
    }

    #[inline]
    pub fn word(&mut self, word: u32) {
        if let Some(slot) = self.out.next() {
            slot.copy_from_slice(&word.to_le_bytes());
        }
    }

    pub fn long(&mut self, long: u64) {
        self.word(long as u32);
        self.word((long >> 32) as u32);
    }
}

/// Bytes as words one after another. Past the end they are 0: lengths are checked before.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    bytes: core::slice::ChunksExact<'a, u8>,
}

impl<'a> Reader<'a> {
    /// After a header that is right, of bytes that are `want` long in all.
    pub fn new(bytes: &'a [u8], fingerprint: u64, want: usize) -> Result<Self, SnapshotError> {
        let reader = Self::open(bytes, fingerprint)?;
        if bytes.len() != want {
            return Err(SnapshotError::Length { found: bytes.len(), want });
        }
        Ok(reader)
    }

    /// After a header that is right.
    pub fn open(bytes: &'a [u8], fingerprint: u64) -> Result<Self, SnapshotError> {
        if bytes.get(..4) != Some(&MAGIC) {
            return Err(SnapshotError::NoSnapshot);
        }
        if bytes.len() < HEADER {
            return Err(SnapshotError::Length { found: bytes.len(), want: HEADER });
        }
        let mut reader = Self { bytes: bytes.chunks_exact(4) };
        reader.word();
        match reader.word() {
            FORMAT => {}
            other => return Err(SnapshotError::Format(other)),
        }
        if reader.long() != fingerprint {
            return Err(SnapshotError::OtherProgram);
        }
        Ok(reader)
    }

    #[inline]
    pub fn word(&mut self) -> u32 {
        self.bytes.next().and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
    }

    pub fn long(&mut self) -> u64 {
        u64::from(self.word()) | u64::from(self.word()) << 32
    }

    /// Words that are left.
    pub fn left(&self) -> usize {
        self.bytes.len()
    }
}

/// A hash of words: each is mixed in by a multiplication with an odd constant and a shift, as in the
/// finalizer of MurmurHash3 (Appleby, public domain). Not for keeping secrets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hash(u64);

impl Hash {
    pub fn new() -> Self {
        Self(0xFF51_AFD7_ED55_8CCD)
    }

    #[inline]
    pub fn word(&mut self, word: u32) {
        let mixed = (self.0 ^ u64::from(word)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        self.0 = mixed ^ (mixed >> 32);
    }

    pub fn long(&mut self, long: u64) {
        self.word(long as u32);
        self.word((long >> 32) as u32);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.long(bytes.len() as u64);
        for chunk in bytes.chunks(4) {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u32::from_le_bytes(word));
        }
    }

    pub fn end(self) -> u64 {
        self.0
    }
}

impl BoundProgram {
    /// A number that is the same for the same program on the same elements, on every machine:
    /// snapshots carry it. Worked out when it is first asked for.
    pub fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| {
            let mut hash = Hash::new();
            hash.bytes(&self.program.to_bytes());
            let topology = self.hierarchy.topology();
            for id in topology.ids() {
                if let Some(key) = topology.key(id) {
                    hash.bytes(key.to_string().as_bytes());
                }
                for parent in topology.parents(id) {
                    hash.word(parent.id.0);
                }
            }
            hash.end()
        })
    }
}
