import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../contract/target.ts'
import { computeService, isSchedulable, openstack } from '../cli/referees.ts'
import {
  HOST,
  host,
  IS_LONG,
  KILLS,
  LONG_MS,
  type MovesLab,
  node,
  openMovesLab,
  played,
  READY_MS,
} from './moves-lab.ts'
import { novaTallyFromNow } from './nova-tally.ts'

/** A compute host of real Nova dies: its instances are rebuilt on other hosts, each once, and the host returns to service once its machine runs. */
const SAID = ['--machine-is-off', 'the lab switched it off', '--shared-disks', 'the lab keeps no disks'] as const
const OWN = ['red', 'blue'] as const
let lab: MovesLab

describe.runIf(IS_LONG)('a dead host', () => {
  beforeAll(async () => {
    lab = await openMovesLab('rescue')
    await lab.boot(OWN, ['off'])
  }, READY_MS)

  afterAll(async () => {
    await node('heard', HOST)
    await host('up', HOST)
    // Nova refuses it until the nova-compute that came back has cleared up after those that were rebuilt elsewhere.
    await until('its nova-compute is forced down no longer', async () => {
      const set = openstack('compute', 'service', 'set', '--up', HOST, 'nova-compute')
      return set.then(
        () => true,
        () => null,
      )
    })
    await lab.end()
  }, READY_MS)

  test('is rescued, and brought back once its machine runs', { timeout: LONG_MS }, async () => {
    await played('a dead host rescued', KILLS, async kills => {
      await lab.fresh()
      const tally = await novaTallyFromNow()
      await Promise.all([host('down', HOST), node('silent', HOST)])
      await lab.untilIs('down', HOST)
      const rescued = await lab.driver.drive(['rescue', 'lab', HOST, ...SAID, '--yes'], Math.ceil(kills / 2))
      lab.ended(rescued, 0)
      expect(await lab.whereabouts(), rescued.said).toEqual({
        red: 'away ACTIVE',
        blue: 'away ACTIVE',
        off: 'away SHUTOFF',
      })
      expect(await computeService(HOST)).toMatchObject({ Status: 'disabled', State: 'down' })
      expect(await isSchedulable(HOST)).toBe(false)
      const records = await tally.records()
      for (const name of [...OWN, 'off']) {
        const id = lab.idOf(name)
        const asked = await tally.asked(id)
        expect({ name, records: records(id).map(({ type, status }) => `${type} ${status}`), asked }).toEqual({
          name,
          records: ['evacuation done'],
          asked: { actions: 1, aborts: 0, forced: 0 },
        })
      }
      // One request forces it down and disables it.
      expect(await tally.services()).toBe(1)

      await Promise.all([host('up', HOST), node('heard', HOST)])
      const left = await lab.driver.drive(
        ['leave', 'lab', HOST, '--home', '--cold-migration', '--yes'],
        Math.floor(kills / 2),
      )
      lab.ended(left, 0)
      expect(await computeService(HOST)).toMatchObject({ Status: 'enabled', State: 'up', 'Disabled Reason': null })
      expect(await isSchedulable(HOST)).toBe(true)
      expect(await lab.whereabouts(), left.said).toEqual({
        red: 'here ACTIVE',
        blue: 'here ACTIVE',
        off: 'here SHUTOFF',
      })
      return rescued.kills + left.kills
    })
  })
})
