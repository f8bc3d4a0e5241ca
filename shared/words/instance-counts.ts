import type { MovesTally } from '../domain/instance-state.ts'

/** The results for the instances of a run: `3 of 5 moved, 1 stopped, 1 still here`. Only those that went to another host count as moved. */
export function movesWords(tally: MovesTally): string {
  const toMove = Math.max(tally.total - tally.toStop, tally.moved)
  const stopped = tally.stopped + tally.started
  const parts = [
    toMove === 0 ? '' : `${tally.moved} of ${toMove} moved`,
    tally.toStop > 0 ? `${stopped} of ${Math.max(tally.toStop, stopped)} stopped` : some(stopped, 'stopped'),
    ...asideWords(tally),
  ]
  return parts.filter(part => part !== '').join(', ')
}

/** Instances that neither moved nor stopped, counted by kind: `1 still here`. */
function asideWords({ settled, left, failed }: MovesTally): readonly string[] {
  return [
    some(settled, settled === 1 ? 'needs no move any more' : 'need no move any more'),
    some(left, 'still here'),
    some(failed, 'given up'),
  ]
}

function some(count: number, words: string): string {
  return count === 0 ? '' : `${count} ${words}`
}
