import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Journal, openJournal } from '../../main/journal/journal.ts'
import type { Clock } from '../../main/platform/clock/clock.ts'
import { type Cluster, DEFAULT_LIMITS } from '../../shared/domain/cluster.ts'
import { DEFAULT_MAINTENANCE_API } from '../../shared/domain/maintenance-api.ts'
import type { NodeSummary } from '../../shared/domain/node-summary.ts'
import { ok } from '../../shared/domain/result.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../shared/domain/role-maintenance.ts'
import { DEFAULT_ROLE_LABELS } from '../../shared/domain/roles.ts'
import type { RunEvent, RunView } from '../../shared/domain/run.ts'
import { endingOf } from '../../shared/domain/run-ending.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'
import type { UpdateOptions } from '../../shared/domain/update.ts'
import { type Accident, drawAccidents, type LeaseAccident } from './accidents.ts'
import { createCampaignJudge, operateCampaign } from './campaigning.ts'
import { drawFlavour, drawWorld, type Flavour, startCloud, type WorldShape } from './cloud.ts'
import { type Console, startConsole } from './console.ts'
import { DEAD_HOST, drawDeadHost } from './dead-host.ts'
import { createDice, type Dice } from './dice.ts'
import { crashImage, type DiskUser, ProcessEnded, type WriteFate } from './disk.ts'
import { facesDiffer } from './faces.ts'
import { drawFaults, type FaultPlan } from './faults.ts'
import { drawFencedPair, FENCED } from './fenced.ts'
import { createHandOverEnd, operateHandOver, RUNNER, type RunnerAnswer, startRunnerOf } from './handing-over.ts'
import { CONTROLLERS, createJudge, type Rule, type Violation } from './judge.ts'
import { clockOfProcess, createMachine, type Machine } from './machine.ts'
import { drawNamesakes, NAMESAKES } from './namesake.ts'
import { readRows, rowDiffers } from './node-row.ts'
import { drawCurious, drawIntent, drawUpdate, type Intent, type Outcome, operate } from './operator.ts'
import type { ProcessChance } from './process-chance.ts'
import { createRestless, RESTLESS } from './restless.ts'
import { drawTheme, HANDING_OVER, RESCUE, type Theme } from './themes.ts'
import { createTimeline } from './timeline.ts'
import { createWires } from './wire.ts'

/** What came of one seed. */
interface Simulated {
  readonly seed: number
  /** Of everything that was asked, answered and journaled, with its time: equal for equal seeds, or the simulation is not deterministic. */
  readonly hash: string
  readonly violations: readonly Violation[]
  /** What was played in it beside what every schedule plays, by its name. */
  readonly kinds: readonly string[]
  readonly outcomes: readonly Outcome[]
  readonly turns: number
  readonly messages: number
  readonly virtualMs: number
  /** Only if it was requested. */
  readonly trace: readonly string[]
}

/** One way of an undisturbed message: a bastion beside the cloud, an office, a laptop on a train. */
const LATENCIES: readonly [Latency, ...Latency[]] = [
  [1, 4],
  [3, 40],
  [20, 250],
]
type Latency = readonly [number, number]

const START_MS = Date.parse('2026-01-01T00:00:00Z')
/** No run may take longer, nor turn more often: it would never end. */
const LONGEST_MS = 4 * 3_600_000
const MOST_TURNS = 100_000

/** One process of a console, from its start to its end. */
interface Process {
  readonly tag: string
  readonly machine: Machine
  readonly path: string
  alive: boolean
  console: Console | null
  outcomes: readonly Outcome[] | null
  /** It was killed, or its disk failed. */
  hadTrouble: () => boolean
}

/** What a console is to do, and where it keeps its journal. */
interface Post {
  readonly machine: Machine
  readonly intent: Intent
  readonly latency: Latency
  /** Resumes any unfinished run of this journal instead of starting one. */
  readonly takesUp: boolean
  /** Answers maintenance requests instead of driving runs. */
  readonly controllers: boolean
  /** It carries out MaintenanceRuns; `asks`: hands its run over to who does. */
  readonly handOver: 'takes' | 'asks' | null
  /** The name of its machine to others; processes of one machine may stop one by one. */
  readonly host: string
  path: string
  processes: number
}

/** Runs the schedule of one seed, within `folder`, and judges it. `calm`: nothing goes wrong. */
export async function simulate(
  seed: number,
  more: {
    readonly chance: ProcessChance
    readonly folder: string
    readonly keepTrace?: boolean
    readonly calm?: boolean
    /** Instead of what the seed says. */
    readonly flavour?: Flavour
    readonly restless?: true
    readonly namesake?: true
    readonly fenced?: true
  },
): Promise<Simulated> {
  const { chance, calm = false } = more
  const dice = createDice(seed)
  const timeline = createTimeline(START_MS, chance)
  const trace: string[] = []
  let messages = 0
  const report = (line: string) => {
    trace.push(`${(timeline.now() - START_MS) / 1000} ${line}`)
  }
  const inSeconds = (ms: number) => (ms - START_MS) / 1000

  const later = (afterMs: number, run: () => void) => void timeline.at(timeline.now() + afterMs, run)
  const servers = createMachine('servers', timeline, dice.of('servers'))
  chance.use(dice.of('ids'), timeline.now)
  const drawnTheme = drawTheme(dice.of('theme'))
  const drawn = drawWorld(dice.of('world'), drawnTheme)
  const shape = drawFlavour(dice.of('flavour'), drawn, more.flavour ?? null)
  const theme = {
    ...drawnTheme,
    ...(shape.rescue ? RESCUE : {}),
    ...(shape.handOver ? HANDING_OVER : {}),
  }
  const cloud = startCloud(shape, servers)
  const processes: Process[] = []
  const processOf = (tag: string) => processes.find(process => process.tag === tag)
  const judge = createJudge(cloud, timeline, {
    isDriving: tag => {
      const process = processOf(tag)
      return process?.alive === true && process.console?.isDriving() === true
    },
    asleepUntilMs: tag => processOf(tag)?.machine.asleepUntilMs ?? 0,
    monotonicMs: tag => processOf(tag)?.machine.clock.monotonicMs() ?? timeline.now(),
  })
  const campaign = shape.campaign ? createCampaignJudge(cloud, judge.found) : null
  const isRestless = more.restless ?? (!calm && dice.of('restless').chance(RESTLESS))
  const faults: FaultPlan = calm
    ? { episodes: [], meet: () => null, stepStarts: () => {}, silenceLeases: () => {} }
    : drawFaults(dice.of('faults'), START_MS, 180_000, theme)
  for (const { fromMs, untilMs, topic, weather, probability } of faults.episodes) {
    report(`weather: ${weather} of ${topic.name} from ${inSeconds(fromMs)} to ${inSeconds(untilMs)} s, ${probability}`)
  }
  const isFenced =
    !shape.handOver && (more.fenced ?? (!calm && shape.flavour === 'plain' && dice.of('fenced').chance(FENCED)))
  const cluster = clusterOf(shape.flavour)
  report(`theme: ${theme.name}; world: ${JSON.stringify(shape)}`)
  const files = new Set<string>()
  /** What append returned, by the journal it went to: what a process that ended left is followed in its crash image. */
  const returned = new Map<string, RunEvent[]>()
  let under = 0
  const leaseAccidents = calm ? [] : drawLeaseAccidents(dice.of('lease'), theme)
  const deadHost = shape.rescue ? drawDeadHost(dice.of('dead host'), cloud, { later, trace: report }) : null
  const stepsOf = stepStarts((kind, event) => {
    deadHost?.received(event.body.kind)
    if (event.body.kind !== 'step-started') return
    faults.stepStarts(kind, timeline.now())
    for (const accident of leaseAccidents.filter(({ afterStep }) => afterStep === kind)) {
      leaseAccidents.splice(leaseAccidents.indexOf(accident), 1)
      timeline.at(timeline.now() + accident.afterMs, () => touchLease(accident))
    }
  })

  const hasNamesakes = more.namesake ?? (!calm && dice.of('has namesakes').chance(NAMESAKES))
  const namesakes = hasNamesakes ? drawNamesakes(dice.of('namesakes'), { cloud, later, trace: report }) : null

  /** How the last run on a node ended is held against the row that a console which nothing disturbs reads of it now. */
  async function holdRows(): Promise<void> {
    const last = processes.findLast(({ tag, console }) => !tag.startsWith(CONTROLLERS) && console !== null)?.console
    const listed = last?.journal.rows({ cluster: null })
    // By what was written last: the console's list is by the clock of its machine, which somebody may have set back.
    const newest = listed?.ok === true ? listed.value.toSorted((a, b) => b.lastSeq - a.lastSeq)[0] : undefined
    const events = newest === undefined ? undefined : last?.journal.events(newest.id)
    if (events?.ok !== true) return
    const view = foldRun(events.value)
    if (view.state.kind !== 'finished') return
    const ending = endingOf(view, view.state)
    const machine = createMachine('looker', timeline, dice.of('looker'))
    const wires = createWires({
      ...{ timeline, machine, from: 'looker', cloud, judge, dice: dice.of('looker wire'), latencyMs: [1, 2] as const },
      faults: { episodes: [], meet: () => null, stepStarts: () => {}, silenceLeases: () => {} },
      isAlive: () => true,
      onMessage: () => {},
      trace: report,
    })
    const path = join(more.folder, `${seed}-looker.db`)
    files.add(path)
    const opened = startConsole({
      ...{ name: 'looker', machine: 'looker', clock: machine.clock, pid: 99, wires, dice: dice.of('looker console') },
      ...{ cluster, journalPath: path, pidAlive: () => true, onAppended: () => {} },
    })
    if (!opened.ok) return
    let rows: Awaited<ReturnType<typeof readRows>> | 'reading' = 'reading'
    void opened.value.connect().then(async world => {
      rows = world.ok ? await readRows(world.value, opened.value) : null
    })
    await timeline.runUntil(() => rows !== 'reading', { untilMs: timeline.now() + 60_000, turns: MOST_TURNS })
    opened.value.journal.close()
    if (rows === 'reading' || rows === null)
      judge.found('every face says the same', 'the rows of nodes could not be read')
    else {
      const what = rowDiffers(
        ending,
        (rows as readonly NodeSummary[]).find(({ name }) => 'node' in ending && name === ending.node),
      )
      if (what !== null) judge.found('every face says the same', what)
    }
  }

  function touchLease({ how }: LeaseAccident): void {
    const name = shape.update ? 'lockkeeper-update' : 'lockkeeper-node-cmp-1'
    if (cloud.objects.get('Lease', 'default', name) === null) return
    report(`somebody: Lease ${how}`)
    if (how === 'deleted') cloud.objects.remove('Lease', 'default', name)
    else {
      const now = new Date(timeline.now()).toISOString().replace('Z', '000Z')
      cloud.objects.change('Lease', 'default', name, object => ({
        ...object,
        spec: { holderIdentity: 'somebody', acquireTime: now, renewTime: now, leaseDurationSeconds: 60 },
      }))
    }
    judge.leaseTouched(shape.update ? cluster.name : 'cmp-1', how === 'taken' ? 'somebody' : null)
  }

  function start(post: Post, name: string, accidents: readonly Accident[], begins: 'first' | 'again'): void {
    post.processes += 1
    const tag = `${name}-${post.processes}`
    const { machine } = post
    const { path } = post
    files.add(path)
    if (!existsSync(path)) {
      const empty = emptyJournal(more.folder, dice.of('journal').chance(0.3))
      for (const part of ['', '-wal']) if (existsSync(empty + part)) copyFileSync(empty + part, path + part)
    }
    const process: Process = {
      tag,
      machine,
      path,
      alive: true,
      console: null,
      outcomes: null,
      hadTrouble: () => !process.alive,
    }
    processes.push(process)
    const own = dice.of(`process ${tag}`)
    const clock = clockOfProcess(machine, () => process.alive)
    const killed = (image: { readonly path: string; readonly logBytes: readonly [number, number] | null }) => {
      process.alive = false
      report(`${tag} is killed`)
      deadHost?.killed()
      const shared = posts.some(other => other !== post && other.path === path)
      if (!shared) {
        post.path = join(more.folder, `${seed}-${name}-${post.processes}.db`)
        crashImage(image, post.path, own)
        files.add(post.path)
        returned.set(post.path, [...(returned.get(path) ?? [])])
        returned.delete(path)
      }
      if (!own.chance(0.8) && post.handOver !== 'takes') return
      under += 1
      timeline.at(timeline.now() + own.between(500, 90_000), () =>
        machine.whenAwake(() => {
          under -= 1
          start(post, name, drawAccidents(own.of('again'), theme, 0.5), 'again')
        }),
      )
    }
    const user = diskUser(accidents, () => process.alive, timeline.now, killed)
    process.hadTrouble = () => !process.alive || user.hadTrouble()
    const wires = createWires({
      timeline,
      machine,
      from: tag,
      cloud,
      faults,
      dice: own.of('wire'),
      latencyMs: post.latency,
      isAlive: () => process.alive,
      judge,
      onMessage: () => {
        messages += 1
      },
      onServed: (method, target, status) => {
        namesakes?.read(method, target, status)
        campaign?.served(method, target)
      },
      trace: report,
    })
    const restless = !isRestless
      ? null
      : createRestless({
          dice: own.of('restless'),
          onAnswered: gateId => judge.answered(tag, gateId),
          silenceLeases: forMs => {
            report(`no message about Leases arrives for ${forMs} ms`)
            faults.silenceLeases(timeline.now(), forMs)
          },
          trace: report,
        })
    const crashed = (error: unknown) => {
      if (!process.alive) return
      judge.found('every run ends or waits', `${tag} crashed: ${error instanceof Error ? error.stack : String(error)}`)
      process.outcomes = []
    }
    try {
      const started = chance.disk.openedBy(user, () =>
        startConsole({
          name: tag,
          machine: post.host,
          clock,
          pid: 100 + processes.length,
          wires,
          dice: own.of('console'),
          cluster,
          journalPath: path,
          pidAlive: pid => processes[pid - 101]?.alive === true,
          onAppended: event => {
            const kept = returned.get(path)
            if (kept === undefined) returned.set(path, [event])
            else kept.push(event)
            report(`${tag} journals ${event.seq} ${JSON.stringify(event.body).slice(0, 900)}`)
            judge.journaled(tag, event)
            stepsOf.received(event)
            namesakes?.received(event)
            if (post === posts[0]) fencedPair?.received()
            restless?.received(event)
          },
        }),
      )
      if (!process.alive) return
      if (!started.ok) {
        // Only a disk that fails at the start is acceptable; any other cause is a journal that can no longer be
        // opened.
        if (!user.hadTrouble())
          judge.found('no event is lost', `${tag} cannot open its journal: ${started.failure.message}`)
        process.outcomes = [{ runId: null, how: 'never started', why: started.failure.message }]
        return
      }
      process.console = started.value
      if (post.controllers) {
        void answerRequests(started.value).catch(crashed)
        return
      }
      if (post.handOver !== null) {
        playHandOver(post, process, started.value, own, begins, crashed)
        return
      }
      const { journal } = started.value
      const resume = begins === 'again' ? unfinishedRun(journal) : null
      const intent = resume === null ? post.intent : { ...post.intent, startAfterMs: own.between(200, 5_000) }
      const takeUp = resume ?? (post.takesUp ? () => unfinishedRun(journal) : null)
      void operate(started.value, intent, own.of('operator'), takeUp, restless).then(all => {
        if (process.alive) process.outcomes = all
      }, crashed)
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error
    }
    for (const accident of accidents) {
      if (accident.kind !== 'sleeps' && accident.kind !== 'clock-set') continue
      timeline.at(timeline.now() + accident.atMs, () => {
        report(`${machine.name} ${JSON.stringify(accident)}`)
        if (accident.kind === 'sleeps') machine.sleepFor(accident.forMs, accident.how)
        else machine.setClock(accident.byMs)
      })
    }
  }

  const runnerNow = () => processes.findLast(({ tag, alive }) => alive && tag.startsWith(`${RUNNER}-`))
  const runnerAnswer: RunnerAnswer = {
    isThere: () => runnerNow()?.console != null,
    reports: runId => runnerNow()?.console?.journal.row(runId) != null,
  }

  function playHandOver(
    { path, handOver, intent }: Post,
    process: Process,
    console: Console,
    own: Dice,
    begins: 'first' | 'again',
    crashed: (error: unknown) => void,
  ): void {
    const parts = { cluster, dice: own.of('operator') }
    if (handOver === 'takes') {
      const onTakenOver = (event: RunEvent) => {
        returned.set(path, [...(returned.get(path) ?? []), event])
        report(`${process.tag} keeps ${event.seq} ${JSON.stringify(event.body).slice(0, 300)}`)
        if (event.body.kind === 'run-taken-over') judge.journaled(process.tag, event)
      }
      const runner = startRunnerOf(console, { ...parts, onTakenOver })
      void runner.run(new AbortController().signal).catch(crashed)
      return
    }
    const startAfterMs = begins === 'again' ? own.between(200, 5_000) : intent.startAfterMs
    const operated = shape.campaign
      ? operateCampaign(console, { ...parts, startAfterMs })
      : operateHandOver(console, { ...parts, received: runnerAnswer, startAfterMs })
    void operated.then(all => {
      if (process.alive) process.outcomes = all
    }, crashed)
  }

  const posts = drawPosts(dice.of('posts'), calm, theme, {
    nodes: cloud.nodes,
    flavour: shape.flavour,
    rescue: shape.rescue,
    everyKind: shape.everyKind,
    handOver: shape.handOver,
    update: shape.update ? drawUpdate(dice.of('update'), cloud.nodes) : null,
    folder: more.folder,
    seed,
    timeline,
    isFenced,
  })
  const [first, second] = posts
  const fencedPair =
    first === undefined || second === undefined || !isFenced
      ? null
      : drawFencedPair(dice.of('fenced pair'), {
          machine: first.machine,
          later,
          startSecond: () => {
            if (second.processes === 0) start(second, second.machine.name, [], 'first')
          },
          trace: report,
        })
  for (const [index, post] of posts.entries()) {
    if (fencedPair !== null && post === second) continue
    const name = post.machine.name
    // A killed process, or one with a broken disk, is fenced by no other.
    const isPerson = shape.campaign && post.handOver === 'asks'
    const isCalm = calm || isPerson || (fencedPair !== null && post === first && dice.of('fenced calm').chance(0.8))
    start(post, name, isCalm ? [] : drawAccidents(dice.of(`accidents ${index}`), theme), 'first')
  }
  const ends = ({ tag }: Process) => !tag.startsWith(CONTROLLERS) && !tag.startsWith(`${RUNNER}-`)
  const handOver = shape.handOver && !shape.campaign ? createHandOverEnd(cloud, timeline.now) : null
  const hasEnded = () =>
    under === 0 &&
    processes.every(process => !process.alive || process.outcomes !== null || !ends(process)) &&
    (handOver?.isSettled() ?? true)
  const ended = await timeline.runUntil(hasEnded, { untilMs: START_MS + LONGEST_MS, turns: MOST_TURNS })
  if (ended !== 'over') {
    const waiting = processes.filter(({ alive, outcomes }) => alive && outcomes === null).map(({ tag }) => tag)
    judge.found('every run ends or waits', `${ended} after ${timeline.turns()} turns: ${waiting.join(', ')}`)
  }
  judge.ended()
  handOver?.judge({
    consoles: processes.filter(({ alive, tag }) => alive && !tag.startsWith(`${RUNNER}-`)),
    reports: runnerAnswer.reports,
    found: judge.found,
  })
  // A healthy journal is read only sometimes: opening it again takes as long as driving a run.
  const isTroubled = processes.some(({ hadTrouble }) => hadTrouble()) || seed % 20 === 0
  for (const [path, events] of returned) {
    const whole = isTroubled ? null : (processes.find(process => process.path === path)?.console?.journal ?? null)
    judgeJournal(path, events, {
      processes,
      own: whole,
      moments: shape.everyKind ? 5 : seed % 4 === 0 ? 2 : 0,
      found: judge.found,
    })
  }
  if (shape.everyKind) await holdRows()
  // A runner that exists at the end was not killed.
  const played = processes.filter(({ alive, tag }) => !alive || !tag.startsWith(`${RUNNER}-`))
  for (const process of processes) process.alive = false
  for (const { console } of processes) console?.journal.close()
  for (const file of files) for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true })
  return {
    seed,
    hash: createHash('sha256').update(trace.join('\n')).digest('hex'),
    violations: judge.violations.filter(({ rule }) => !shape.everyKind || !OF_USUAL_CHOICES.has(rule)),
    kinds: [
      kindOf(shape),
      ...(posts.filter(({ controllers }) => !controllers).length > 1 ? ['two consoles'] : []),
      ...(isRestless ? ['restless'] : []),
      ...(hasNamesakes ? ['namesakes'] : []),
      ...(isFenced ? ['fenced'] : []),
    ],
    outcomes: played.flatMap(({ outcomes }) => outcomes ?? [{ runId: null, how: 'killed', why: '' }]),
    turns: timeline.turns(),
    messages,
    virtualMs: timeline.now() - START_MS,
    trace: more.keepTrace === true ? trace : [],
  }
}

function kindOf({ flavour, update, rescue, handOver, campaign, everyKind }: WorldShape): string {
  if (everyKind) return 'every kind'
  if (rescue) return 'rescue'
  if (campaign) return 'campaign'
  if (handOver) return 'hand-over'
  if (update) return flavour === 'mosk' ? 'mosk update' : 'batches'
  return flavour
}

/** Runs controllers for as long as the process lives. */
async function answerRequests(console: Console): Promise<void> {
  for (;;) {
    const world = await console.connect()
    if (world.ok) await console.runControllers(world.value)
    await console.clock.sleep(3_000)
  }
}

function drawPosts(
  dice: Dice,
  calm: boolean,
  theme: Theme,
  world: {
    readonly nodes: readonly string[]
    readonly flavour: WorldShape['flavour']
    readonly rescue: boolean
    readonly everyKind: boolean
    readonly handOver: boolean
    readonly update: UpdateOptions | null
    readonly folder: string
    readonly seed: number
    readonly timeline: Parameters<typeof createMachine>[1]
    /** The second one takes over what the first one drives, in its journal. */
    readonly isFenced: boolean
  },
): readonly Post[] {
  const machine = (name: string) => {
    const skew =
      !calm && dice.chance(theme.skewed) ? dice.pick([2_000, -2_000, 25_000, -25_000, 70_000, 300_000, -300_000]) : 0
    return createMachine(name, world.timeline, dice.of(`machine ${name}`), skew)
  }
  const isOff = ({ clock }: Machine) => Math.abs(clock.now() - world.timeline.now()) >= 30_000
  const forces = (of: Machine) => isOff(of) && dice.chance(0.8)
  const path = (name: string) => join(world.folder, `${world.seed}-${name}.db`)
  const drawn = drawIntent(dice.of('intent a'), world.nodes)
  const { update } = world
  // An update asks before each node goes back.
  const storage =
    world.flavour === 'sunbeam'
      ? { stopOsds: dice.of('osds').chance(0.5), asksAll: dice.of('questions').chance(0.5) }
      : {}
  // Whether its host runs is asked in questions that others leave out.
  const rescue = world.rescue
    ? { node: DEAD_HOST, procedures: ['rescue' as const], asksAll: true, answers: drawn.answers + 1 }
    : {}
  const curious = world.everyKind ? drawCurious(dice.of('curious'), world.rescue) : {}
  const wish =
    update === null
      ? { ...drawn, ...storage, ...rescue, ...curious }
      : { ...drawn, update, procedures: [], answers: drawn.answers + 4 }
  // Controllers make their locks first.
  const locksMs = world.flavour === 'mosk' ? 6_000 : 0
  const laptop = machine('a')
  const first: Post = {
    machine: laptop,
    intent: { ...wish, forces: forces(laptop), startAfterMs: wish.startAfterMs + locksMs },
    latency: dice.pick(LATENCIES),
    takesUp: false,
    controllers: false,
    handOver: world.handOver ? 'asks' : null,
    host: 'a',
    path: path('a'),
    processes: 0,
  }
  const controllers = (name: string): Post => ({
    ...first,
    machine: machine(name),
    latency: dice.pick(LATENCIES),
    controllers: true,
    host: name,
    path: path(name),
  })
  const answering =
    world.flavour !== 'mosk'
      ? []
      : [controllers(`${CONTROLLERS}a`), ...(!calm && dice.chance(0.3) ? [controllers(`${CONTROLLERS}b`)] : [])]
  if (world.handOver) {
    const runner: Post = {
      ...first,
      machine: machine(RUNNER),
      latency: dice.pick(LATENCIES),
      handOver: 'takes',
      host: RUNNER,
      path: path(RUNNER),
    }
    return [first, runner]
  }
  // Where storage is shared, what one console does to the node of the other is what matters.
  const isAlone =
    world.rescue ||
    world.everyKind ||
    (!dice.chance(theme.second) && !(world.flavour === 'sunbeam' && dice.of('beside').chance(0.6)))
  if (calm || (isAlone && !world.isFenced)) return [first, ...answering]
  const shared = dice.chance(0.4) || world.isFenced
  const intent = drawIntent(dice.of('intent b'), world.nodes)
  const other = machine('b')
  // Of two nodes of one Ceph that are out, each needs noout.
  const isBeside = world.flavour === 'sunbeam' && dice.of('other node').chance(0.7)
  const second: Post = {
    machine: other,
    intent: {
      ...intent,
      ...storage,
      node: isBeside ? 'cmp-2' : first.intent.node,
      forces: forces(other),
      procedures: dice.chance(0.4) ? ['leave'] : isBeside ? ['enter', 'leave'] : ['enter'],
      startAfterMs: dice.between(500, theme.secondWithinMs),
      resumes: shared ? 5 : intent.resumes,
    },
    latency: dice.pick(LATENCIES),
    takesUp: shared,
    controllers: false,
    handOver: null,
    host: world.isFenced && dice.of('one machine').chance(0.5) ? 'a' : 'b',
    path: shared ? first.path : path('b'),
    processes: 0,
  }
  return [first, second, ...answering]
}

function drawLeaseAccidents(dice: Dice, theme: Theme): LeaseAccident[] {
  const many = dice.chance(theme.leaseTouched) ? dice.between(1, 2) : 0
  return Array.from({ length: many }, () => ({
    afterStep: dice.pick(['cordon-node', 'disable-compute', 'migrate-instances', 'migrate-instances', 'drain-node']),
    afterMs: dice.between(0, dice.pick([1_500, 8_000])),
    how: dice.pick(['deleted', 'taken']),
  }))
}

/** Reports the step kind of each journaled event; empty if the event is about no step. */
function stepStarts(onEvent: (kind: string, event: RunEvent) => void): { received(event: RunEvent): void } {
  const kinds = new Map<string, string>()
  return {
    received: event => {
      const { runId, body } = event
      if (body.kind === 'run-created') for (const { id, kind } of body.plan.steps) kinds.set(`${runId} ${id}`, kind)
      onEvent(kinds.get(`${runId} ${'stepId' in body ? body.stepId : ''}`) ?? '', event)
    },
  }
}

function diskUser(
  accidents: readonly Accident[],
  isAlive: () => boolean,
  now: () => number,
  killed: DiskUser['killed'],
): DiskUser & { hadTrouble(): boolean } {
  const kill = accidents.find(accident => accident.kind === 'killed')
  const disk = accidents.find(accident => accident.kind === 'disk')
  let writes = 0
  let troubleFrom: number | null = null
  return {
    hadTrouble: () => troubleFrom !== null,
    fateOf: (): WriteFate => {
      if (!isAlive()) throw new ProcessEnded('long ago')
      writes += 1
      if (kill !== undefined && writes === kill.atWrite) return kill.how
      if (disk === undefined || writes < disk.fromWrite) return 'written'
      troubleFrom ??= now()
      return now() < troubleFrom + disk.forMs ? disk.how : 'written'
    },
    killed,
  }
}

/** The clock of processes that only read. */
const NO_CLOCK: Clock = { now: () => 0, monotonicMs: () => 0, random: () => 0, sleep: async () => {} }

/**
 * A journal without entries, made once a process: to make its schema takes longer than most schedules write. `young`: as a process leaves it that
 * ends right after it made it, with its schema in the log.
 */
function emptyJournal(folder: string, young: boolean): string {
  const path = join(folder, 'empty.db')
  const youngPath = join(folder, 'young.db')
  if (!existsSync(path)) {
    const opened = openJournal({ path, clock: NO_CLOCK })
    if (opened.ok) {
      for (const part of ['', '-wal']) copyFileSync(path + part, youngPath + part)
      opened.value.close()
    }
  }
  return young ? youngPath : path
}

/** The newest unfinished run of a journal. */
function unfinishedRun(journal: Journal): string | null {
  const rows = journal.rows({ cluster: null })
  return rows.ok ? (rows.value.find(({ finished }) => !finished)?.id ?? null) : null
}

/** Holds a journal, opened again by somebody else, against what its appends returned and what became of its runs. */
function judgeJournal(
  path: string,
  events: readonly RunEvent[],
  {
    processes,
    own,
    moments,
    found,
  }: {
    /** How often during each run its faces are compared, besides at its end. */
    readonly moments: number
    readonly processes: readonly Process[]
    /** An open journal: only its runs are judged. Null: it is opened again, its chain recomputed, every page read. */
    readonly own: Journal | null
    readonly found: (rule: Rule, what: string) => void
  },
): void {
  const opened = own === null ? openJournal({ path, clock: NO_CLOCK }) : ok(own)
  if (!opened.ok) {
    found('no event is lost', `the journal does not open: ${opened.failure.message}`)
    return
  }
  const journal = opened.value
  if (journal.readOnly !== null) {
    found('no event is lost', `the journal opens for reading only: ${journal.readOnly.message}`)
  }
  const kept = new Map<number, unknown>()
  for (const runId of new Set(events.map(event => event.runId))) {
    const read = journal.events(runId)
    if (!read.ok) {
      found('no event is lost', `run ${runId} cannot be read: ${read.failure.message}`)
      continue
    }
    for (const event of read.value) kept.set(event.seq, event.body)
    const what = unsettled(foldRun(read.value), processes[(journal.row(runId)?.pid ?? 0) - 101])
    if (what !== null) found('every run ends or waits', what)
    const extract = journal.report.extract({ runIds: [runId], windowIds: [], around: [] })
    if (!extract.ok) found('no event is lost', `no report of run ${runId} can be made: ${extract.failure.message}`)
    else for (const each of facesDiffer(read.value, extract.value, moments)) found('every face says the same', each)
  }
  for (const { seq, runId, body } of events) {
    if (isDeepStrictEqual(kept.get(seq), JSON.parse(JSON.stringify(body)))) continue
    found('no event is lost', `event ${seq} of run ${runId} (${body.kind}) is not there as it was`)
  }
  if (own !== null) return
  const checked = journal.care.check()
  if (!checked.ok || !checked.value.ok) {
    found('no event is lost', `the journal is not sound: ${checked.ok ? checked.value.words : checked.failure.message}`)
  }
  journal.close()
}

/** A run that is neither over, nor waits for an answer, nor was left by a driver that said so or ended; null: it is settled. */
function unsettled({ id, state, openGates }: RunView, driver: Process | undefined): string | null {
  if (state.kind === 'finished' || state.kind === 'left' || openGates.length > 0) return null
  if (driver === undefined || driver.outcomes === null) return null
  // A driver whose journal failed it cannot say that it left, or not even that it began.
  if (driver.outcomes.some(({ runId, how }) => runId === id && how === 'interrupted')) return null
  const isSaid = driver.outcomes.some(({ how }) => how === 'never started')
  if (isSaid && (state.kind === 'created' || driver.hadTrouble())) return null
  return `run ${id} is ${state.kind}, with no driver and no reason`
}

/** Promises about what a run does where nobody chooses other ways of moving, decides about instances, or brings them home from hosts that nobody holds. */
const OF_USUAL_CHOICES: ReadonlySet<Rule> = new Set(['verified is true', 'one driver a node', 'nothing is done twice'])

/** The cluster as consoles of the simulation know it. */
export function clusterOf(flavour: WorldShape['flavour']): Cluster {
  return {
    name: 'sim',
    flavour,
    kubeconfig: { paths: ['/nowhere'], context: 'sim' },
    cloud: { path: '/nowhere', cloud: 'sim' },
    roleLabels: DEFAULT_ROLE_LABELS,
    limits: { ...DEFAULT_LIMITS, drainTimeoutMs: 5 * 60_000, returnTimeoutMs: 120_000 },
    openstackNamespace: 'openstack',
    leaseNamespace: 'default',
    production: false,
    colour: null,
    maintenanceApi: {
      ...DEFAULT_MAINTENANCE_API,
      // Raised, so that schedules have several nodes away at a time.
      computeMax: 30,
      controllers: { openstack: 'console', ceph: 'none', tungstenfabric: 'none', stacklight: 'none' },
      blockedAfterMs: 120_000,
    },
    // Watcher is not played: Lockkeeper empties the hosts.
    roleMaintenance:
      flavour === 'sunbeam'
        ? // With as many monitors as hosts the seed's three never stay beside one.
          { ...DEFAULT_ROLE_MAINTENANCE, strategy: 'nova', cephServicesRule: 'by-version' }
        : DEFAULT_ROLE_MAINTENANCE,
    addedAt: '2026-01-01T00:00:00.000Z',
  }
}
