/** The two IPC channels between the window and main: requests with answers, and events (docs/style.md G12). */
export const ASK_CHANNEL = 'lockkeeper:ask'
export const EVENT_CHANNEL = 'lockkeeper:event'
