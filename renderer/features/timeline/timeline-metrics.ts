/** Width of the column of names; as in timeline.css. */
export const NAME_PX = 156
/** Height of the head with the axis and the phases; as in timeline.css. */
export const HEAD_PX = 52
/** Room at the right, so that what happens now is not at the very edge. */
export const RIGHT_PX = 12
