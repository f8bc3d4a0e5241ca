import { ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { playScenes } from '../../../fixtures/cli/scenes.ts'
import { playedBlockers, playedMeasured, playedRuns, playedWindows } from '../../../fixtures/renderer/history.ts'

const unreadable = ['Event 7 of run x cannot be read.']
const console = () =>
  createFakeContract({
    'history.search': () => ok({ runs: playedRuns(4), windows: playedWindows(), more: true }),
    'history.durations': () => ok({ measured: playedMeasured(30), unreadable }),
    'history.blockers': () => ok(playedBlockers()),
  })
const DAYS = {
  from: new Date('2026-11-01T00:00:00').toISOString(),
  to: new Date('2026-11-02T23:59:59.999').toISOString(),
}

playScenes('history', 'transcripts/history.txt', console, {
  'is runs and windows together, newest first, each run with its window': 'history',
  'searches words, whole days of the local calendar, and the wanted number': {
    says: 'history east --text "CHG-1 olga" --from 2026-11-01 --to 2026-11-02 --limit 7',
    asks: [['history.search', { cluster: 'east', text: 'CHG-1 olga', ...DAYS, limit: 7 }]],
  },
  'of durations is median and p90 of each cluster and node, and what cannot be read': 'history durations',
  'of durations as JSON is every single measurement': {
    says: 'history durations east -o json',
    json: { measured: playedMeasured(30), unreadable },
  },
  'of blockers lists each blocker, how often, where, and in which runs': 'history blockers',
})
