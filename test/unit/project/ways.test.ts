import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandTable } from '../../../main/compose/terminal/command-table.ts'
import type { RequestName } from '../../../shared/contract/index.ts'

/** The command that asks for it; `alone`: `lockkeeper` does, without a command; or why the terminal needs none. */
type Way = { readonly command: string } | { readonly alone: true } | { readonly why: string }

/** A request of the contract without a line does not compile. */
const WAYS: Readonly<Record<RequestName, Way>> = {
  'cluster.list': { command: 'cluster list' },
  'cluster.add': { command: 'cluster add' },
  'cluster.update': { command: 'cluster set' },
  'cluster.remove': { command: 'cluster remove' },
  'cluster.exec-plugin': { command: 'cluster consent' },
  'cluster.consent': { command: 'cluster consent' },
  'cluster.endpoints': { command: 'cluster consent' },
  'cluster.agree-to-endpoints': { command: 'cluster consent' },
  'kubeconfig.inspect': {
    why: 'A form offers contexts to choose from; in a terminal `kubectl config get-contexts` does.',
  },
  'clouds.inspect': { alone: true },
  'cluster.found': { alone: true },
  'exec-plugin.consent': { alone: true },
  'cluster.try': { alone: true },
  'cluster.test': { command: 'cluster test' },
  'cluster.connect': { command: 'nodes' },
  'node.list': { command: 'nodes' },
  'node.show': { command: 'node show' },
  'node.set-mode': { command: 'host mode' },
  'instance.list': { command: 'instances' },
  'instance.mark': { command: 'instance mode' },
  'instance.remedy': { command: 'instance reset-state' },
  'edit.list': { command: 'edits' },
  'plan.make': { command: 'plan enter' },
  'plan.undo': { command: 'undo' },
  'plan.forecast': { command: 'plan enter' },
  'run.start': { command: 'enter' },
  'run.resume': { command: 'run resume' },
  'run.pause': { command: 'run pause' },
  'run.pause-after-node': { command: 'update stop-after' },
  'run.skip-node': { command: 'update skip' },
  'run.unpause': { command: 'run resume' },
  'run.abort': { command: 'run abort' },
  'run.detach': { command: 'enter' },
  'run.answer': { command: 'run answer' },
  'run.decide': { command: 'run decide' },
  'run.list': { command: 'runs' },
  'run.show': { command: 'run show' },
  'view.open': {
    why: 'A live picture is for screens; `nodes`, `instances`, `locks` and `requests` read the same again.',
  },
  'view.instances': { why: 'It is the rest of a live picture; `instances` reads the same.' },
  'view.shown': { why: 'It says which clouds a page shows.' },
  'demo.show': { why: 'It shows a page what its demo can do; `demo --help` lists the troubles.' },
  'demo.change': { why: 'Only a served demo has a page to switch them on; `demo --trouble` starts with one.' },
  'console.describe': {
    why: 'It names its console to a page; `--version` and `journal status` do so in a terminal.',
  },
  'preferences.show': { why: 'How screens look; a terminal has flags and its own settings.' },
  'preferences.change': { why: 'How screens look; a terminal has flags and its own settings.' },
  'file.pick': { why: 'Opens the dialog of a desktop.' },
  'file.keep': { why: 'For what is dropped on a page; a terminal names files where they are.' },
  'file.suggest': { alone: true },
  'definitions.status': { command: 'crds diff' },
  'definitions.install': { command: 'crds install' },
  'maintenance.list': { command: 'locks' },
  'request.remove': { command: 'requests remove' },
  'controllers.detect': { command: 'controllers detect' },
  'controllers.status': { command: 'controllers status' },
  'controllers.start': { command: 'controllers run' },
  'controllers.stop': { command: 'controllers run' },
  'update.propose': { command: 'update plan' },
  'update.plan': { command: 'update plan' },
  'update.timeline': { command: 'update status' },
  'update.observe': { command: 'update status' },
  'window.list': { command: 'window list' },
  'window.show': { command: 'window show' },
  'window.create': { command: 'window create' },
  'window.change': { command: 'window change' },
  'window.note': { command: 'window note' },
  'window.close': { command: 'window close' },
  'window.cancel': { command: 'window cancel' },
  'window.judge': { command: 'window estimate' },
  'window.plan': { command: 'window start' },
  'window.agree-start': { command: 'window start' },
  'window.take-back-start': { command: 'window take-back' },
  'window.attend-start': { command: 'window wait' },
  'batches.plan': { command: 'window batches' },
  'batches.judge': { command: 'window batches' },
  'estimate.make': { command: 'window estimate' },
  'window.forecast': { command: 'window forecast' },
  'owners.list': { command: 'window owners' },
  'window.messages': { command: 'window notify' },
  'window.notify': { command: 'window notify' },
  'mail.show': { command: 'mail show' },
  'mail.change': { command: 'mail set' },
  'report.make': { command: 'report' },
  'report.verify': { command: 'report verify' },
  'history.search': { command: 'history' },
  'history.durations': { command: 'history durations' },
  'history.moves': { why: 'The page of a run compares a slow migration with them; a plan prints their estimate.' },
  'history.blockers': { command: 'history blockers' },
  'journal.status': { command: 'journal status' },
  'journal.check': { command: 'journal check' },
  'journal.accept': { command: 'journal accept' },
  'journal.export': { command: 'journal export' },
  'journal.import': { command: 'journal import' },
  'webhook.keep': { command: 'cluster webhook add' },
  'webhook.remove': { command: 'cluster webhook remove' },
  'webhook.test': { command: 'cluster webhook test' },
  'alertmanager.keep': { command: 'cluster alertmanager set' },
  'gates.keep': { command: 'cluster gate add' },
  'gates.test': { command: 'cluster gate test' },
  'alertmanager.test': { command: 'cluster alertmanager test' },
  'journal.prune': { command: 'journal prune' },
  'attach.describe': { why: 'Consoles that attach to a runner request it.' },
  'attach.stretch': { why: 'Consoles that attach to a runner request it.' },
  'runner.list': { command: 'runs' },
  'runner.offer': { command: 'enter' },
  'runner.submit': { command: 'enter' },
  'runner.hand-over': { command: 'run hand-over' },
  'runner.submitted': { command: 'enter' },
  'runner.asked': { command: 'runs' },
  'runner.withdraw': { command: 'run abort' },
  'campaign.list': { command: 'runner campaign list' },
  'campaign.waiting': {
    why: 'A form offers runs to choose from; in a terminal `kubectl get maintenanceruns` lists them, and --batch takes names.',
  },
  'campaign.show': { command: 'runner campaign show' },
  'campaign.create': { command: 'runner campaign create' },
  'campaign.control': { command: 'runner campaign pause' },
}

const HOUSE = join(import.meta.dirname, '../../..')
const sources = globSync('main/{faces,wings/*}/cli/**/*.ts', { cwd: HOUSE })
  .map(file => readFileSync(join(HOUSE, file), 'utf8'))
  .join('\n')
const isAsked = (name: string) => new RegExp(`\\bask\\(\\s*'${name.replace('.', '\\.')}'`).test(sources)

describe('every request of the contract has a way in the terminal, or a reason why not:', () => {
  it.each(Object.entries(WAYS))('%s', (name, way) => {
    if ('why' in way) {
      expect(way.why).toMatch(/^[A-Z].{20,}\.$/)
      expect(isAsked(name), 'the terminal asks for it: name the command instead').toBe(false)
      return
    }
    if ('command' in way) expect(commandTable.map(({ path }) => path.join(' '))).toContain(way.command)
    expect(isAsked(name), 'no command asks for it').toBe(true)
  })
})
