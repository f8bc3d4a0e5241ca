import { later } from '../../ui/later.tsx'

export { demoCommands } from './demo-commands.ts'

export const DemoMenu = later(async () => (await import('./demo-menu.tsx')).DemoMenu, null)
