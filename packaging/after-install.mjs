import { existsSync, readdirSync, rmSync } from 'node:fs'

// The npm package `node` brings headers and another npm beside the binary, 68 MB that nothing here reads. Plain JavaScript: any Node installs.
const packages = new URL('../node_modules/node/node_modules/', import.meta.url)
for (const name of existsSync(packages) ? readdirSync(packages) : []) {
  for (const part of ['include', 'share'])
    rmSync(new URL(`${name}/${part}`, packages), { recursive: true, force: true })
}
