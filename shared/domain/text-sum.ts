/** The same on every machine and in every version (FNV-1a, 32 bits): for distribution, never as a proof. */
export function textSum(text: string): number {
  let sum = 0x811c9dc5
  for (const sign of text) {
    sum ^= sign.codePointAt(0) ?? 0
    sum = Math.imul(sum, 0x01000193)
  }
  return sum >>> 0
}
