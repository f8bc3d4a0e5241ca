import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { demoVersion, type ProcessOfDriver } from '../../shared/domain/run.ts'
import { LOCKKEEPER_VERSION } from '../version.ts'

/** How this process identifies itself on the runs that it drives. */
export function driverOfThisProcess({
  demo,
  operator,
}: {
  readonly demo: boolean
  readonly operator?: { readonly name: string; readonly machine: string } | undefined
}): ProcessOfDriver {
  return {
    operator: operator?.name ?? operatorName(),
    machine: operator?.machine ?? hostname(),
    version: demo ? demoVersion(LOCKKEEPER_VERSION) : LOCKKEEPER_VERSION,
    pid: process.pid,
    id: randomUUID(),
    bootId: bootId(),
  }
}

/** The boot id of this machine and the pid namespace, since containers number their processes separately; null if unknown. */
function bootId(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

/** The operating-system user; a container's user may have no name. */
function operatorName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Whether a process of this machine is alive, also if this user may not signal it. */
export function pidAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
