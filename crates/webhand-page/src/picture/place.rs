//! Where each label goes: near its box, on the picture, and over no other label.

/// A rectangle of image pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: i64,
    pub(super) top: i64,
    pub(super) width: i64,
    pub(super) height: i64,
}

impl Area {
    pub(super) fn right(&self) -> i64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> i64 {
        self.top + self.height
    }

    pub(super) fn overlaps(&self, other: &Area) -> bool {
        self.left < other.right() && other.left < self.right() && self.top < other.bottom() && other.top < self.bottom()
    }

    fn within(&self, outer: (i64, i64)) -> bool {
        self.left >= 0 && self.top >= 0 && self.right() <= outer.0 && self.bottom() <= outer.1
    }
}

/// Steps away from its box that a label may take where all places at the box are taken.
const STEPS: i64 = 4;

/// Finds a place for a label of `size` for a box, on a picture of `picture` pixels; `None` where there is none.
pub(super) fn label(mark: &Area, size: (i64, i64), picture: (i64, i64), taken: &[Area]) -> Option<Area> {
    let (width, height) = size;
    let (last_left, last_top) = (mark.right() - width, mark.bottom() - height);
    let mut places = vec![
        (mark.left, mark.top - height),
        (mark.left - width, mark.top),
        (last_left, mark.top - height),
        (mark.right(), mark.top),
        (mark.left, mark.bottom()),
        (last_left, mark.bottom()),
        (mark.left, mark.top),
        (last_left, mark.top),
        (mark.left, last_top),
        (last_left, last_top),
    ];
    let mut steps: Vec<(i64, i64)> =
        (-STEPS..=STEPS).flat_map(|down| (-STEPS..=STEPS).map(move |right| (right, down))).collect();
    steps.sort_by_key(|(right, down)| (right.abs() + down.abs(), *down, *right));
    places.extend(steps.into_iter().map(|(right, down)| (mark.left + right * width / 2, mark.top + down * height)));
    places
        .into_iter()
        .map(|(left, top)| Area { left, top, width, height })
        .find(|place| place.within(picture) && !taken.iter().any(|other| other.overlaps(place)))
}
