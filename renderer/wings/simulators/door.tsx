export { demoCommands } from './demo-commands.ts'
export { DemoMenu } from './demo-menu.tsx'
