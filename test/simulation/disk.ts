import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs'
import type { DatabaseSync as Database, StatementSync } from 'node:sqlite'
import type { Dice } from './dice.ts'

/** What happens at one write of a journal. */
export type WriteFate =
  | 'written'
  /** The disk is full: SQLite answers as it does when its log cannot grow. */
  | 'full'
  /** The device answers an error. */
  | 'broken'
  /** The process ends before the write, after it, or in its middle. */
  | 'killed-before'
  | 'killed-after'
  | 'killed-within'

/** The process that has a journal open, as its disk sees it. */
export interface DiskUser {
  /** Asked before each write; `killed-*` once at most. */
  fateOf(sql: string): WriteFate
  /** The process ended at this write; `logBytes` is how long the log was before and after it. */
  killed(at: { readonly path: string; readonly logBytes: readonly [number, number] | null }): void
}

/** Sits between the journal and SQLite of this process. */
export interface Disk {
  /** Journals opened by `open` belong to this user. */
  openedBy<T>(user: DiskUser, open: () => T): T
}

/** Thrown into a process that has ended: nothing of what it still does reaches anybody. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded'
}

/** The user of a closed database. */
const GONE: DiskUser = {
  fateOf: () => {
    throw new ProcessEnded('long ago')
  },
  killed: () => {},
}

const WRITES = /^\s*(INSERT|DELETE|UPDATE|COMMIT)/i

/** Puts itself before `node:sqlite`, which nobody may have imported yet. A write that fails leaves nothing behind, exactly as SQLite's own do. */
export function putDiskBeforeSqlite(): Disk {
  // Not imported: names that were imported from this module once are not renewed.
  const sqlite = process.getBuiltinModule('node:sqlite')
  const Real = sqlite.DatabaseSync
  let current: DiskUser | null = null

  class SimulatedDatabase extends Real {
    #user = current
    readonly #path: string
    constructor(path: string | URL | Uint8Array, options?: ConstructorParameters<typeof Database>[1]) {
      super(path as string, ...(options === undefined ? [] : [options]))
      this.#path = String(path)
    }
    override close(): void {
      super.close()
      // A statement keeps its database for ever where the database leads back to it: the whole world of a schedule would stay.
      if (this.#user !== null) this.#user = GONE
    }
    override exec(sql: string): void {
      if (this.#user === null || !WRITES.test(sql)) super.exec(sql)
      else this.#write(sql, () => super.exec(sql), null)
    }
    override prepare(...given: Parameters<Database['prepare']>): StatementSync {
      if (this.#user === null) return super.prepare(...given)
      const [sql] = given
      let made: StatementSync | null = null
      const isWrite = WRITES.test(sql)
      // A short run needs few of a journal's statements, and preparing all of them takes longer than its writes.
      const statement = new Proxy(Object.create(null) as StatementSync, {
        get: (_, name) => {
          made ??= super.prepare(...given)
          const target = made
          const own: unknown = Reflect.get(target, name, target)
          if (typeof own !== 'function') return own
          if (!isWrite || (name !== 'all' && name !== 'run' && name !== 'get')) return own.bind(target)
          return (...values: unknown[]) =>
            this.#write(
              sql,
              () => own.apply(target, values),
              // SQLite hands a row out before it commits: who takes the first row alone never hears that the commit failed.
              name === 'get' ? () => this.#takenBack(() => own.apply(target, values)) : null,
            )
        },
      })
      return statement
    }
    #takenBack<T>(work: () => T): T {
      super.exec('SAVEPOINT lost')
      try {
        return work()
      } finally {
        super.exec('ROLLBACK TO lost; RELEASE lost')
      }
    }
    #write<T>(sql: string, work: () => T, unheard: (() => T) | null): T {
      const fate = this.#user?.fateOf(sql) ?? 'written'
      switch (fate) {
        case 'written':
          return work()
        case 'full':
        case 'broken':
          if (unheard !== null) return unheard()
          throw Object.assign(new Error(fate === 'full' ? 'database or disk is full' : 'disk I/O error'), {
            code: 'ERR_SQLITE_ERROR',
            errcode: fate === 'full' ? 13 : 778,
            errstr: fate === 'full' ? 'database or disk is full' : 'disk I/O error',
          })
        case 'killed-before':
          this.#user?.killed({ path: this.#path, logBytes: null })
          throw new ProcessEnded('before a write')
        case 'killed-after':
        case 'killed-within': {
          const before = logSize(this.#path)
          work()
          const within = fate === 'killed-within' && !this.isTransaction
          this.#user?.killed({ path: this.#path, logBytes: within ? [before, logSize(this.#path)] : null })
          throw new ProcessEnded('after a write')
        }
      }
    }
  }
  Object.assign(sqlite, { DatabaseSync: SimulatedDatabase })
  return {
    openedBy: (user, open) => {
      const before = current
      current = user
      try {
        return open()
      } finally {
        current = before
      }
    },
  }
}

function logSize(path: string): number {
  const log = `${path}-wal`
  return existsSync(log) ? statSync(log).size : 0
}

/** The files of a journal as a process that ended left them, the last write perhaps half there. */
export function crashImage(
  from: { readonly path: string; readonly logBytes: readonly [number, number] | null },
  to: string,
  dice: Dice,
): void {
  for (const part of ['', '-wal']) if (existsSync(from.path + part)) copyFileSync(from.path + part, to + part)
  if (from.logBytes === null) return
  const [before, after] = from.logBytes
  if (after > before) truncateSync(`${to}-wal`, dice.between(before, after - 1))
}
