import { writeSync } from 'node:fs'
import { oneProcess } from './toy-run.ts'

/** Started by journal-sweep.ts over a failing disk: prints each event once append returned for it, and its result at the end. */
const [path = '', worldFile = ''] = process.argv.slice(2)
const say = (value: unknown) => writeSync(1, `${JSON.stringify(value)}\n`)
say(await oneProcess(path, worldFile, 1, say))
