import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { z } from 'zod'
import { must } from '../../../shared/domain/must.ts'
import { until, value } from '../../contract/target.ts'
import { connectOpenStack } from '../../fixtures/connect-openstack.ts'
import { bootServers } from '../cli/boot-servers.ts'
import { isSchedulable, kubectl, serversByName } from '../cli/referees.ts'
import { LAB_CLOUDS, LAB_OPENSTACK } from '../lab-places.ts'
import {
  clearFaults,
  type LabConsole,
  namesOn,
  openLabConsole,
  returnComputeHost,
  setFaults,
} from '../roles/lab-console.ts'
import { createDriver, type Driven, type Driver } from './killed-console.ts'
import type { NovaTally } from './nova-tally.ts'

const run = promisify(execFile)

/** The host that is emptied here: two instances were seeded on it, both of the kind that moves. */
export const HOST = 'cmp-3'

/** Takes that host out of service. */
export const ENTER = ['enter', 'lab', HOST, '--yes', '--concurrency', '3'] as const

/** A migration stays where it is until somebody decides about it. */
export const HANG = { hang: true }

/** The setup of a file in this folder: another console, and separate instances on the host. */
export interface MovesLab {
  readonly desk: LabConsole
  readonly driver: Driver
  /** Boots instances on the host, running ones and stopped ones. */
  boot(running: readonly string[], stopped?: readonly string[]): Promise<void>
  idOf(name: string): string
  /** As the cloud calls it. */
  nameOf(name: string): string
  /** Where each own instance is and how, as `openstack` says. */
  whereabouts(): Promise<Readonly<Record<string, string>>>
  faults(of: Readonly<Record<string, unknown>>): Promise<void>
  /** The own instance that Nova moves off the host just now, and where to: it says when to act, and judges nothing. */
  underWay(): Promise<{ readonly name: string; readonly to: string } | null>
  /** Nova calls the nova-compute of a host down, or up. */
  untilIs(state: 'down' | 'up', host: string): Promise<void>
  /** Checks the run's end and exit code; the failure shows the last process's output. */
  ended(driven: Driven, code: number): void
  /** Puts the node back into service and its instances home, where an earlier play left it otherwise. */
  fresh(): Promise<void>
  end(): Promise<void>
}

export async function openMovesLab(of: string): Promise<MovesLab> {
  const prefix = `moves-${of}-${process.pid}`
  const seeded = await namesOn(HOST)
  const desk = await openLabConsole()
  const driver = createDriver(desk)
  console.info(`LOCKKEEPER_SEED=${driver.seed}`)
  const { openstack: port, close } = await connectOpenStack(LAB_CLOUDS, 'lab')
  const ids = new Map<string, string>()
  const nameOf = (name: string) => `${prefix}-${name}`
  const idOf = (name: string) => must(ids.get(name), `${name} was booted`)
  return {
    desk,
    driver,
    boot: async (running, stopped = []) => {
      await bootServers(HOST, [
        ...running.map(name => ({ name: nameOf(name), tag: null, status: 'ACTIVE' as const })),
        ...stopped.map(name => ({ name: nameOf(name), tag: null, status: 'SHUTOFF' as const })),
      ])
      const servers = await serversByName()
      for (const name of [...running, ...stopped]) ids.set(name, must(servers.get(nameOf(name)), `${name} is there`).ID)
    },
    idOf,
    nameOf,
    whereabouts: async () => {
      const servers = await serversByName()
      return Object.fromEntries(
        [...ids.keys()].map(name => {
          const { Host, Status } = must(servers.get(nameOf(name)), `${name} is there`)
          return [name, `${Host === HOST ? 'here' : 'away'} ${Status}`]
        }),
      )
    },
    faults: faults =>
      setFaults(Object.fromEntries(Object.entries(faults).map(([name, fault]) => [nameOf(name), fault]))),
    underWay: async () => {
      const running = value(await port.migrations({ host: HOST })).find(({ status }) => status === 'running')
      const name = [...ids].find(([, id]) => id === running?.instanceId)?.[0]
      return name === undefined || running?.destHost == null ? null : { name, to: running.destHost }
    },
    untilIs: async (state, name) => {
      const is = async () => (value(await port.computeService(name))?.state === state ? true : null)
      await until(`nova-compute of ${name} is ${state}`, is, 90_000)
    },
    ended: ({ answer, said }, code) => {
      expect(answer.code, `${said}\nLOCKKEEPER_SEED=${driver.seed}`).toBe(code)
    },
    fresh: async () => {
      await clearFaults()
      if (await isSchedulable(HOST)) return
      const left = await driver.drive(['leave', 'lab', HOST, '--home', '--concurrency', '3', '--yes'], 0)
      expect(left.answer.code, left.said).toBe(0)
    },
    end: async () => {
      close()
      desk.end()
      await returnComputeHost(HOST, seeded, prefix)
      expect(await isSchedulable(HOST)).toBe(true)
    },
  }
}

/** Repeats something beside a task until the task ends. */
export async function beside<T>(continues: Promise<T>, look: () => Promise<void>): Promise<T> {
  let over = false
  const watched = continues.finally(() => {
    over = true
  })
  const looking = (async () => {
    while (!over) {
      await look()
      await pause(1_000)
    }
  })()
  const [came] = await Promise.all([watched, looking])
  return came
}

/** Watches, beside a run, for a second request to move an instance, and lets that one succeed. */
export function letSecondThrough(
  lab: MovesLab,
  name: string,
  tally: NovaTally,
  others: () => Readonly<Record<string, unknown>> = () => ({}),
) {
  let isThrough = false
  return async () => {
    if (isThrough || (await tally.asked(lab.idOf(name))).actions < 2) return
    isThrough = true
    await lab.faults(others())
  }
}

/** Power off and on of a compute host, as far as Nova and Neutron notice. */
export async function host(word: 'down' | 'up', name: string): Promise<void> {
  await run(join(import.meta.dirname, '../openstack/host.sh'), [word, name], {
    env: { ...process.env, LOCKKEEPER_LAB_OPENSTACK: LAB_OPENSTACK },
  })
}

/** The same as far as Kubernetes does; back when that says so. */
export async function node(word: 'silent' | 'heard', name: string): Promise<void> {
  await run(join(import.meta.dirname, '../kubernetes/node.sh'), [word, name])
  await kubectl(
    'wait',
    '--timeout=90s',
    `--for=condition=Ready=${word === 'heard' ? 'True' : 'Unknown'}`,
    `node/${name}`,
  )
}

/** Whether every play was requested (LOCKKEEPER_LONG); the others take minutes each. */
export const IS_LONG = process.env.LOCKKEEPER_LONG !== undefined

/** How many consoles each long play kills (LOCKKEEPER_KILLS). */
export const KILLS = z.coerce
  .number()
  .int()
  .positive()
  .parse(process.env.LOCKKEEPER_KILLS ?? 20)

/** Getting ready and clearing up takes a minute, on a machine that is busy ten. */
export const READY_MS = 900_000

/** The time limit of a play that kills twenty consoles. */
export const LONG_MS = 3_600_000

const MOST_KILLS_A_PLAY = 20

/**
 * Plays until this many consoles were killed, at least once, and prints the duration. `play` gets the number of kills
 * that are left, and returns how many it did.
 */
export async function played(what: string, kills: number, play: (most: number) => Promise<number>): Promise<void> {
  const began = performance.now()
  let killed = 0
  let times = 0
  do {
    killed += await play(Math.min(MOST_KILLS_A_PLAY, kills - killed))
    times += 1
  } while (killed < kills)
  const tookS = Math.round((performance.now() - began) / 1000)
  console.info(`${what}: played ${times} times, ${killed} kills, ${tookS} s`)
}
