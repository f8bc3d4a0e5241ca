// Runs a built desktop app in plain Node, with our stand-in in place of the `electron` module:
//   node test/electron-stand-in/run.mjs <folder of package.json> [--user-data-dir=<folder>] [flags of the app]
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = resolve(process.argv[2] ?? '.')
const standIn = pathToFileURL(join(import.meta.dirname, 'process/electron.ts')).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
})

// As Electron has it: the runtime, the app, the app's flags.
process.argv = ['electron', folder, ...process.argv.slice(3)]
const { main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
await import(pathToFileURL(join(folder, main)).href)
