export { openNotify } from './open-notify.ts'
export { openSignalPorts } from './signal-ports.ts'
