/** Where the plane begins: after the column of names (timeline.css), with room for half a knob. */
export const NAME_PX = 168
/** Height of the head with the phases and the axis; as in timeline.css. */
export const HEAD_PX = 84
/** Room at the right, so that what happens now is not at the very edge. */
export const RIGHT_PX = 14
/** Rows on the screen: there is more room than on paper, and phases stand in the ribbon. */
export const ROWS = { lanePx: 31, headingPx: 28, headsAll: false } as const
/** Height of a curve; as in timeline.css. */
export const CURVE_PX = 42
