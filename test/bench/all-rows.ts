/** A row of the table of issue 35: what is measured, its goal, and which figures belong to it. */
export interface GoalRow {
  readonly what: string
  /** The worst of the figures that were noted under these names counts. */
  readonly figures: readonly string[]
  readonly goal: number
  readonly unit: string
  /** At least instead of at most. */
  readonly least?: true
}

/** How much a figure may grow from 500 to 2,000 nodes to be linear. */
const FOUR_TIMES = 4

const screen = (nodes: number, what: string, at = 0) => `${nodes}: ${what}, ${at}`
const CHANGES = '50 changes and 5 flights a second'

export const GOAL_ROWS: readonly GoalRow[] = [
  row(
    'allocation candidates, 500 nodes',
    [screen(500, 'embedded Placement: allocation candidates, processor time')],
    50,
    'ms',
  ),
  row('first tile, 500 nodes, wall time', [screen(500, 'topology: first tile, wall time')], 1000, 'ms'),
  row('first tile, 2,000 nodes, wall time', [screen(2000, 'topology: first tile, wall time')], 2500, 'ms'),
  row('processor time of main to the first tile, 2,000 over 500 nodes', ['growth of main'], FOUR_TIMES, 'times'),
  row(
    'processor time of the page to the first tile, 2,000 over 500 nodes',
    ['growth of the page'],
    FOUR_TIMES,
    'times',
  ),
  ...[500, 2000].flatMap(nodes => [
    row(
      `longest page task while it opens, ${nodes} nodes`,
      [screen(nodes, 'longest task of the page while it opens')],
      50,
      'ms',
    ),
    row(
      `longest page task, ${CHANGES}, ${nodes} nodes`,
      ['instances', 'topology'].map(page => screen(nodes, `longest task of the page: ${page}, ${CHANGES}`)),
      50,
      'ms',
    ),
  ]),
  row(
    'largest message to the page, 2,000 nodes',
    [screen(2000, 'largest message to the page, all messages')],
    6000,
    'kB',
  ),
  row('memory of main, peak, 500 nodes', [screen(500, 'main resident: now, peak', 1)], 200, 'MiB'),
  row('memory of main, peak, 2,000 nodes', [screen(2000, 'main resident: now, peak', 1)], 350, 'MiB'),
  row('script before anything is drawn', [screen(500, 'script before anything is drawn')], 450, 'kB'),
  row('`lockkeeper nodes` over `kubectl get nodes`, processor time', ['nodes-ratio'], 2.5, 'times'),
  row('`lockkeeper --help`, processor time', ['help'], 60, 'ms'),
  row('requests a minute to an idle cloud that is shown', ['watching-shown'], 30, ''),
  row('clouds of eight that are not watched', ['clouds-not-watched'], 0, ''),
  row('evacuating 12 instances: requests an instance', ['moves-5s-requests'], 3, ''),
  row('evacuating 12 instances: lists of instances a second', ['moves-5s-lists'], 1, ''),
  row('evacuating 12 instances: lists of migrations a second', ['moves-5s-migrations'], 1, ''),
  row('plan of cmp-01: requests', ['plan-cmp-01'], 18, ''),
  row('plan of sun-1: requests', ['plan-sun-1'], 28, ''),
  row('plan of mosk-cmp-01: requests', ['plan-mosk-cmp-01'], 30, ''),
  row('batches nearly full, judged after a drag, processor time', ['batches-judged'], 100, 'ms'),
  {
    ...row(
      'time between two pages of the whole list of servers',
      [screen(500, 'smallest time between two pages of the whole list')],
      10,
      's',
    ),
    least: true,
  },
  row('longest piece of a report of 500 instances', ['report-piece'], 20, 'ms'),
  row('longest piece of `runs.view` of 3,510 events', ['view-piece'], 20, 'ms'),
  row('`npm ci`', ['installed'], 450, 'MB'),
  row("moving 8 instances of 1 s over Nova's own time", ['moves-1s-moving'], 1.05, 'times'),
  row("`enter` with 8 moves of 1 s, over Nova's own time", ['moves-1s-over'], 3, 's'),
  row("`enter` with 12 moves of 5 s, of Nova's own time", ['moves-5s-ratio'], 1.15, 'times'),
]

function row(what: string, figures: readonly string[], goal: number, unit: string): GoalRow {
  return { what, figures, goal, unit }
}
