import { DatabaseSync } from 'node:sqlite'

/** Started by read-only.test.ts: holds a database for itself until it gets a stop message. */
const [path = ''] = process.argv.slice(2)
const database = new DatabaseSync(path)
database.exec('BEGIN EXCLUSIVE')
process.stdout.write('held\n')
process.stdin.resume()
process.stdin.on('end', () => {
  database.exec('ROLLBACK')
  database.close()
})
