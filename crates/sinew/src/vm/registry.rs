//! The units that a host knows.

use std::collections::BTreeMap;

use super::UnitDef;

/// Units by name; overloads of one name are told apart by their pins.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    by_name: BTreeMap<&'static str, Vec<UnitDef>>,
}

impl Registry {
    /// No units.
    pub fn empty() -> Self {
        Self::default()
    }

    /// With more units. One of a signature that is known already replaces the older one.
    #[must_use]
    pub fn with(mut self, units: impl IntoIterator<Item = UnitDef>) -> Self {
        for unit in units {
            let overloads = self.by_name.entry(unit.name).or_default();
            let signature = unit.signature();
            overloads.retain(|u| u.signature() != signature);
            overloads.push(unit);
        }
        self
    }

    /// All overloads of a name, in the order of their registration; empty for an unknown name.
    pub fn overloads(&self, name: &str) -> &[UnitDef] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The unit of this signature.
    pub fn by_signature(&self, signature: &str) -> Option<&UnitDef> {
        let name = signature.split('(').next()?;
        self.overloads(name).iter().find(|u| u.signature() == signature)
    }

    /// All units by name.
    pub fn iter(&self) -> impl Iterator<Item = &UnitDef> {
        self.by_name.values().flatten()
    }

    /// All names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.by_name.keys().copied()
    }
}
