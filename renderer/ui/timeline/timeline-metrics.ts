/** Where the plane begins: after the column of names (timeline.css), with room for half a knob. */
export const NAME_PX = 168
/** Height of the head with the phases and the axis; as in timeline.css. */
export const HEAD_PX = 76
/** Room at the right, so that the present is not at the edge. */
export const RIGHT_PX = 14
/** Rows on screen: they have more room than on paper, and the ribbon shows the phases. */
export const ROWS = { lanePx: 27, headingPx: 26, headsAll: false } as const
/** Height of a curve; as in timeline.css. */
export const CURVE_PX = 42
