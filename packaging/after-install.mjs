import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// The npm package `node` brings headers and another npm beside the binary, 68 MB that nothing here reads. Plain JavaScript: any Node installs.
const packages = new URL('../node_modules/node/node_modules/', import.meta.url)
for (const name of existsSync(packages) ? readdirSync(packages) : []) {
  if (name.startsWith('.')) continue
  for (const part of ['include', 'share'])
    rmSync(new URL(`${name}/${part}`, packages), { recursive: true, force: true })
}

// Maps from what the packages run to sources that they do not bring: 52 MB.
const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))
if (existsSync(modules)) removeMaps(modules)

/** Links are left alone: they lead out of the folder. */
function removeMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) removeMaps(path)
    else if (entry.isFile() && entry.name.endsWith('.map')) rmSync(path, { force: true })
  }
}
