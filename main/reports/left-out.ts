/** What a redacted report has where somebody's own words were. */
export const LEFT_OUT = '(left out)'

/** The same; where nobody wrote anything, that is no secret. */
export function leftOut(text: string): string {
  return text === '' ? '' : LEFT_OUT
}
