/** Values logged beside a message. They pass through redaction at the sink; do not rely on it, log names, not objects. */
export type LogFields = Readonly<Record<string, unknown>>

/**
 * Where every part of main writes what happened (style G39): error = a human must act; warn = degraded; info = one line per state
 * change; debug = requests. Never throws.
 */
export interface Logger {
  error(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
  /** The same log, for a named area. */
  child(area: string): Logger
}

/** Writes nowhere. */
export const silentLogger: Logger = {
  error: () => {},
  warn: () => {},
  info: () => {},
  debug: () => {},
  child: () => silentLogger,
}
