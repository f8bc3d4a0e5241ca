/** The requested wait in milliseconds (RFC 9110 10.2.3); null if it is missing or unreadable. A date is compared with the server's own clock. */
export function retryAfterMs(
  headers: { readonly 'retry-after'?: string | undefined; readonly date?: string | undefined },
  nowMs: number,
): number | null {
  const asked = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(asked)) return Number(asked) * 1000
  const until = /[a-z]/i.test(asked) ? Date.parse(asked) : Number.NaN
  if (Number.isNaN(until)) return null
  const serverTime = Date.parse(headers.date ?? '')
  return Math.max(0, until - (Number.isNaN(serverTime) ? nowMs : serverTime))
}
