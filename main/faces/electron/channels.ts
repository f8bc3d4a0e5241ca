/** The two wires between the window and main: requests with answers one way, events the other (docs/style.md G12). */
export const ASK_CHANNEL = 'lockkeeper:ask'
export const EVENT_CHANNEL = 'lockkeeper:event'
