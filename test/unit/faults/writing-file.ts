import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'

/** Started by failing-disk.test.ts: writes a file and says how each write went. */
const [path = ''] = process.argv.slice(2)
const say = (work: () => string) => {
  try {
    console.log(work())
  } catch (error) {
    console.log(error instanceof Error && 'code' in error ? error.code : error)
  }
}
let file = -1
say(() => {
  file = openSync(path, 'w')
  return 'made'
})
for (const word of ['one', 'two', 'three']) say(() => word.slice(0, writeSync(file, word)))
say(() => 'ONE'.slice(0, writeSync(file, 'ONE', 0)))
say(() => {
  fsyncSync(file)
  return 'synced'
})
closeSync(file)
say(() => {
  rmSync(path)
  return 'gone'
})
