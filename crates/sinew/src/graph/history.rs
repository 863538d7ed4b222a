//! Undo and redo.

use super::change::{self, Change};
use super::{Edit, EditError, Rig};

/// How many steps are kept unless said otherwise.
const LIMIT: usize = 1000;

/// The edits made to one rig, to be taken back and made again. One action of the user is one step.
///
/// It holds values only, no references into the rig: undo and redo are safe whatever was removed or
/// edited in between, and the rig can be saved at any point.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: Vec<Step>,
    undone: Vec<Step>,
    open: Option<(Step, usize)>,
    limit: Option<usize>,
    next: u64,
    saved: u64,
}

#[derive(Clone, Debug)]
struct Step {
    label: String,
    id: u64,
    changes: Vec<Change>,
}

impl History {
    /// With nothing to undo.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps at most `limit` steps; the oldest are forgotten.
    pub fn with_limit(limit: usize) -> Self {
        Self { limit: Some(limit), ..Self::default() }
    }

    /// Makes an edit: one step, or part of the step that [`History::begin`] opened. An edit that changes
    /// nothing is no step.
    ///
    /// # Errors
    /// When it cannot be made; rig and history are then as they were.
    pub fn apply(&mut self, rig: &mut Rig, edit: Edit) -> Result<(), EditError> {
        let label = edit.label();
        self.apply_as(rig, label, edit)
    }

    /// As [`History::apply`], under a label of the caller's: `Paste`.
    ///
    /// # Errors
    /// When it cannot be made; rig and history are then as they were.
    pub fn apply_as(&mut self, rig: &mut Rig, label: &str, edit: Edit) -> Result<(), EditError> {
        let changes = edit.record(rig)?;
        match &mut self.open {
            Some((step, _)) => step.changes.extend(changes),
            None => self.push(Step { label: label.into(), id: 0, changes }),
        }
        Ok(())
    }

    /// Opens a step: all edits up to [`History::commit`] are undone at once. Calls nest; the outermost
    /// names the step.
    pub fn begin(&mut self, label: &str) {
        match &mut self.open {
            Some((_, depth)) => *depth += 1,
            None => self.open = Some((Step { label: label.into(), id: 0, changes: Vec::new() }, 1)),
        }
    }

    /// Closes what [`History::begin`] opened.
    pub fn commit(&mut self) {
        match self.open.take() {
            Some((step, depth)) if depth > 1 => self.open = Some((step, depth - 1)),
            Some((step, _)) => self.push(step),
            None => {}
        }
    }

    /// Takes back all edits since the outermost [`History::begin`], and closes it.
    pub fn cancel(&mut self, rig: &mut Rig) {
        if let Some((mut step, _)) = self.open.take() {
            change::undo(rig, &mut step.changes);
        }
    }

    /// Takes the last step back and gives its label; none if there is no step. An open step is closed
    /// first.
    pub fn undo(&mut self, rig: &mut Rig) -> Option<&str> {
        self.close();
        let mut step = self.done.pop()?;
        change::undo(rig, &mut step.changes);
        self.undone.push(step);
        self.undone.last().map(|s| s.label.as_str())
    }

    /// Makes the step again that was taken back last, and gives its label; none if there is no such step.
    pub fn redo(&mut self, rig: &mut Rig) -> Option<&str> {
        self.close();
        let mut step = self.undone.pop()?;
        change::redo(rig, &mut step.changes);
        self.done.push(step);
        self.done.last().map(|s| s.label.as_str())
    }

    /// Labels of the steps that can be undone, the oldest first.
    pub fn undo_labels(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.done.iter().map(|s| s.label.as_str())
    }

    /// Labels of the steps that can be redone, the next one last.
    pub fn redo_labels(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.undone.iter().map(|s| s.label.as_str())
    }

    /// Notes that the rig as it is now has been saved.
    pub fn mark_saved(&mut self) {
        self.close();
        self.saved = self.state();
    }

    /// Whether the rig is as it was when [`History::mark_saved`] was called, or at the start. Knows only
    /// of edits made through this history.
    pub fn is_saved(&self) -> bool {
        self.saved == self.state() && self.open.as_ref().is_none_or(|(s, _)| s.changes.is_empty())
    }

    /// Forgets all steps.
    pub fn clear(&mut self) {
        let saved = self.is_saved();
        self.open = None;
        self.done.clear();
        self.undone.clear();
        self.saved = if saved { 0 } else { u64::MAX };
    }

    fn state(&self) -> u64 {
        self.done.last().map_or(0, |s| s.id)
    }

    fn close(&mut self) {
        if let Some((step, _)) = self.open.take() {
            self.push(step);
        }
    }

    fn push(&mut self, mut step: Step) {
        if step.changes.is_empty() {
            return;
        }
        self.next += 1;
        step.id = self.next;
        self.undone.clear();
        self.done.push(step);
        let extra = self.done.len().saturating_sub(self.limit.unwrap_or(LIMIT));
        if extra > 0 {
            // What was saved before the forgotten steps can never come back; 0 means before all steps.
            if self.saved == 0 {
                self.saved = u64::MAX;
            }
            self.done.drain(..extra);
        }
    }
}
