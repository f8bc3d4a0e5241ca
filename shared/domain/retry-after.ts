/**
 * How long an answer asks to wait before the request is sent again, in milliseconds; null when it does not say, or nothing readable. It is a
 * number of seconds or a date (RFC 9110 10.2.3). A date is held against the server's own clock where the answer tells it: ours may be off.
 */
export function retryAfterMs(
  headers: { readonly 'retry-after'?: string | undefined; readonly date?: string | undefined },
  nowMs: number,
): number | null {
  const asked = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(asked)) return Number(asked) * 1000
  const until = /[a-z]/i.test(asked) ? Date.parse(asked) : Number.NaN
  if (Number.isNaN(until)) return null
  const reported = Date.parse(headers.date ?? '')
  return Math.max(0, until - (Number.isNaN(reported) ? nowMs : reported))
}
