import { accessSync, constants, existsSync, readdirSync, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { bytes } from '../../shared/grammar/bytes.ts'
import { someOf } from '../../shared/grammar/counts.ts'
import { shellWord } from '../../shared/grammar/shell-word.ts'
import { fileFault, systemCode } from '../files/file-words.ts'
import { type Finding, findingsAbout } from './finding.ts'

/** With less room no run can be journaled to its end, and with less than the second it is time to make some. */
const ROOM_NEEDED = 50 * 1024 ** 2
const ROOM_WISHED = 1024 ** 3

const { fine, attention, broken, cannotTell } = findingsAbout('data directory')

/** The data directory as far as it can be told without writing into it. `isReadable`: what lies in it may be asked for. */
export function examineDataDirectory(
  path: string,
  ownUser: number | null,
): { readonly findings: readonly Finding[]; readonly isReadable: boolean } {
  const found = statusOf(path)
  if (found.kind === 'absent') {
    return { findings: [...absent(path), roomOf(nearest(path))], isReadable: true }
  }
  if (found.kind === 'refused')
    return { findings: [unusable(path, found.why), roomOf(nearest(path))], isReadable: false }
  if (!found.status.isDirectory()) return { findings: [unusable(path, 'it is a file')], isReadable: false }
  const readable = trouble(path, constants.R_OK | constants.X_OK)
  if (readable !== null) return { findings: [unusable(path, readable), roomOf(path)], isReadable: false }
  return {
    findings: [writableOf(path), modeOf(path, found.status, ownUser), ...filesOf(path, ownUser), roomOf(path)],
    isReadable: true,
  }
}

function unusable(path: string, why: string): Finding {
  return broken(
    'place',
    `Cannot use ${path}: ${why}.`,
    'Give it back to your user with its rights, or name another with --data-dir or LOCKKEEPER_DATA_DIR.',
  )
}

function absent(path: string): readonly Finding[] {
  const above = nearest(path)
  const why = trouble(above, constants.W_OK | constants.X_OK)
  const message = `${path} is not there yet; the first command that needs it makes it, for your user only.`
  return why === null
    ? [fine('place', message)]
    : [
        broken(
          'place',
          `${path} is not there, and cannot be made in ${above}: ${why}.`,
          'Name another with --data-dir.',
        ),
      ]
}

function writableOf(path: string): Finding {
  const why = trouble(path, constants.W_OK | constants.X_OK)
  return why === null
    ? fine('place', `${path} may be written by your user; nothing was written to try it.`)
    : broken(
        'place',
        `${path} cannot be written: ${why}. History can be read, and no run can be started.`,
        'Make it writable for your user, or name another with --data-dir.',
      )
}

function modeOf(path: string, { mode, uid }: Stats, ownUser: number | null): Finding {
  if (ownUser !== null && uid !== ownUser) {
    return attention(
      'permissions',
      `${path} belongs to user ${uid}, and you are user ${ownUser}.`,
      `Use a directory of your own.`,
    )
  }
  return process.platform !== 'win32' && (mode & 0o022) !== 0
    ? attention('permissions', `Others may write into ${path}.`, `\`chmod go-w ${shellWord(path)}\``)
    : fine('permissions', `Nobody but its owner may write into ${path}.`)
}

/** Beyond so many files looking takes longer than it tells. */
const MOST_FILES = 10_000

/**
 * Files of ours are readable by this user only, those in folders too (secrets, logs, exports, mirrored journals): each that is not is named.
 * Whatever lies in a folder that nobody else may enter is out of reach.
 */
function filesOf(path: string, ownUser: number | null): readonly Finding[] {
  if (process.platform === 'win32') return []
  const looked = { files: 0, open: [] as string[], foreign: [] as string[] }
  const look = (folder: string) => {
    for (const entry of readdirSync(join(path, folder), { withFileTypes: true })) {
      const name = join(folder, entry.name)
      const status = statSync(join(path, name), { throwIfNoEntry: false })
      if (status === undefined || looked.files > MOST_FILES) continue
      const isFolder = entry.isDirectory()
      if (!isFolder && !status.isFile()) continue
      looked.files += 1
      if (ownUser !== null && status.uid !== ownUser) looked.foreign.push(name)
      const isOpen = (status.mode & 0o077) !== 0
      if (isFolder && isOpen) look(name)
      else if (isOpen) looked.open.push(name)
    }
  }
  try {
    look('')
  } catch (error) {
    return [cannotTell('files', `What lies in ${path} cannot be looked at: ${fileFault(error).message}.`)]
  }
  const { files, open, foreign } = looked
  return [
    ...(foreign.length === 0
      ? []
      : [attention('owner of files', `Of another user are ${someOf(foreign)}.`, 'Give them to your user (chown).')]),
    readableBy(path, open, files),
  ]
}

function readableBy(path: string, open: readonly string[], files: number): Finding {
  if (open.length > 0) {
    const within = [...new Set(open.map(name => join(path, name.split(sep)[0] ?? '')))]
    return attention('files', `Others may read ${someOf(open)}.`, `\`chmod -R go= ${within.map(shellWord).join(' ')}\``)
  }
  if (files > MOST_FILES) return cannotTell('files', `There are more than ${MOST_FILES} files in ${path}.`)
  return fine(
    'files',
    files === 0 ? 'There are none yet.' : 'Each, in the folders there too, can be read by your user only.',
  )
}

function roomOf(path: string): Finding {
  try {
    const { bavail, bsize, ffree, files } = statfsSync(path)
    const room = bavail * bsize
    const message = `${bytes(room)} are free for your user on the disk of ${path}.`
    if (files > 0 && ffree === 0)
      return broken('room', `The disk of ${path} has no inode left: no file can be made.`, 'Remove files there.')
    if (room < ROOM_NEEDED) return broken('room', message, 'Make room: what happens in a run cannot be written down.')
    if (room < ROOM_WISHED) return attention('room', message, 'Make room before a long run.')
    return fine('room', message)
  } catch (error) {
    return cannotTell('room', `The disk of ${path} does not tell how much room it has: ${fileFault(error).message}.`)
  }
}

function statusOf(
  path: string,
):
  | { readonly kind: 'there'; readonly status: Stats }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly why: string } {
  try {
    return { kind: 'there', status: statSync(path) }
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? { kind: 'absent' } : { kind: 'refused', why: fileFault(error).message }
  }
}

function trouble(path: string, wanted: number): string | null {
  try {
    accessSync(path, wanted)
    return null
  } catch (error) {
    return fileFault(error).message
  }
}

/** The folder above that is there. */
function nearest(path: string): string {
  let above = path
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above)
  return above
}
