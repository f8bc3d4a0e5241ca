/** Values logged beside a message. They are redacted when written, but do not rely on it: log names, not objects. */
export type LogFields = Readonly<Record<string, unknown>>

/** The log of main (style G39): error = a human must act; warn = degraded; info = one line per state change; debug = requests. Never throws. */
export interface Logger {
  error(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
  child(area: string): Logger
}

export const silentLogger: Logger = {
  error: () => {},
  warn: () => {},
  info: () => {},
  debug: () => {},
  child: () => silentLogger,
}
