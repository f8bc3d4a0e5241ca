import { parseArgs } from 'node:util'
import { packDesktop, whatIsMissing } from './pack-desktop.ts'

// Packs the desktop app into dist/desktop. Without words: everything for the system it runs on; --linux, --mac and --win choose, --dir makes
// the folder alone that an installer would hold, --runtime takes Electron's runtime from a folder.
const { values } = parseArgs({
  options: {
    linux: { type: 'boolean' },
    mac: { type: 'boolean' },
    win: { type: 'boolean' },
    dir: { type: 'boolean' },
    runtime: { type: 'string' },
  },
})

try {
  const made = await packDesktop({
    ...(values.linux === true ? { linux: [] } : {}),
    ...(values.mac === true ? { mac: [] } : {}),
    ...(values.win === true ? { win: [] } : {}),
    ...(values.dir === true ? { dir: true } : {}),
    ...(values.runtime === undefined ? {} : { config: { electronDist: values.runtime } }),
  })
  process.stdout.write(made.map(file => `${file}\n`).join(''))
} catch (reason) {
  const words = whatIsMissing(reason) ?? `Nothing was packed: ${reason instanceof Error ? reason.message : reason}`
  process.stderr.write(`${words}\n`)
  process.exitCode = 1
}
