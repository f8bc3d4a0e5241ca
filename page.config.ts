import { defineConfig } from 'electron-vite'
import whole from './electron.config.ts'

const { main: _main, preload: _preload, ...page } = whole

/** Builds the page alone, as electron.config.ts does: all that `npm run demo` needs in a browser, in a third of the time. */
export default defineConfig(page)
