import type { EventName, RequestName } from '../../../shared/contract/index.ts'

// The preload has to know the names but must stay small and free of the schemas (and zod) behind them. The compiler holds these two
// lists equal to the contract: a name missing here, or one too many, does not compile.

const REQUEST_NAMES = {
  'cluster.list': true,
  'cluster.add': true,
  'cluster.update': true,
  'cluster.remove': true,
  'cluster.exec-plugin': true,
  'cluster.consent': true,
  'cluster.endpoints': true,
  'cluster.agree-to-endpoints': true,
  'kubeconfig.inspect': true,
  'clouds.inspect': true,
  'cluster.found': true,
  'exec-plugin.consent': true,
  'cluster.try': true,
  'cluster.test': true,
  'cluster.connect': true,
  'node.list': true,
  'node.show': true,
  'node.set-mode': true,
  'instance.list': true,
  'instance.mark': true,
  'edit.list': true,
  'plan.make': true,
  'plan.undo': true,
  'plan.forecast': true,
  'run.start': true,
  'run.resume': true,
  'run.pause': true,
  'run.pause-after-node': true,
  'run.skip-node': true,
  'run.unpause': true,
  'run.abort': true,
  'run.detach': true,
  'run.answer': true,
  'run.decide': true,
  'run.list': true,
  'run.show': true,
  'view.open': true,
  'console.describe': true,
  'preferences.show': true,
  'preferences.change': true,
  'queue.show': true,
  'queue.change': true,
  'file.pick': true,
  'file.suggest': true,
  'file.keep': true,
  'definitions.status': true,
  'definitions.install': true,
  'maintenance.list': true,
  'request.remove': true,
  'controllers.detect': true,
  'controllers.status': true,
  'controllers.start': true,
  'controllers.stop': true,
  'update.propose': true,
  'update.plan': true,
  'update.timeline': true,
  'update.observe': true,
  'window.list': true,
  'window.show': true,
  'window.create': true,
  'window.change': true,
  'window.note': true,
  'window.close': true,
  'window.cancel': true,
  'window.plan': true,
  'batches.plan': true,
  'batches.judge': true,
  'estimate.make': true,
  'window.forecast': true,
  'owners.list': true,
  'report.make': true,
  'report.verify': true,
  'history.search': true,
  'history.durations': true,
  'history.blockers': true,
  'journal.status': true,
  'journal.check': true,
  'journal.accept': true,
  'journal.export': true,
  'journal.import': true,
  'journal.prune': true,
} satisfies Record<RequestName, true>

const EVENT_NAMES = {
  'cluster.changed': true,
  'run.event': true,
  'run.rested': true,
  'view.patch': true,
  'view.ended': true,
  'preferences.changed': true,
  'queue.changed': true,
  'controllers.changed': true,
  'plan.watches': true,
  'update.observed': true,
  'window.changed': true,
} satisfies Record<EventName, true>

/** Whether a text is the name of a request of the contract. */
export function isRequestName(name: unknown): name is RequestName {
  return typeof name === 'string' && Object.hasOwn(REQUEST_NAMES, name)
}

/** Whether a text is the name of an event of the contract. */
export function isEventName(name: unknown): name is EventName {
  return typeof name === 'string' && Object.hasOwn(EVENT_NAMES, name)
}

/** Every event of the contract: what main forwards to the window. */
export const eventNames: readonly EventName[] = Object.keys(EVENT_NAMES).filter(isEventName)
