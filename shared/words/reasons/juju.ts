import { durationWords } from '../../grammar/durations.ts'
import {
  type Cause,
  type Finding,
  type Names,
  type OfCall,
  type OfController,
  someNames,
  type TextsOf,
} from '../steps/coded.ts'

type OfEndpoint = OfController & { readonly endpoint: string }

type OfUser = OfController & { readonly user: string }

type OfTask = { readonly task: string }

/** `left`: the state of the task after the wait. */
type Waited = OfCall & { readonly withinMs: number; readonly left: Finding }

/** Longest list of models in a text. */
const MOST_MODELS = 50

export const JUJU_REASONS = {
  CorrectClusterSettings: () => "Correct the cloud's settings.",
  CorrectJujuAuthority: () => "Log in again with `juju login`, or correct the authority in the cloud's settings.",
  JujuAnswerOfOtherAction: () => 'another action',
  JujuAnswerOfOtherApplication: () => 'another application',
  JujuAnswerOfOtherModel: () => 'another model',
  JujuAnswerOfOtherTask: () => 'another task',
  JujuAnswerOfOtherUnit: () => 'a task of another unit',
  JujuCallTimedOut: ({ call, controller, seconds }: OfCall & OfController & { readonly seconds: number }) =>
    `${couldNot(call)}: Juju controller ${controller} did not answer within ${seconds} s. Try again.`,
  JujuChangesBlocked: (refused: OfCall & Cause) =>
    `${saysOf(refused)} Changes of the model are blocked: check \`juju disabled-commands\`.`,
  JujuConnectFailed: ({ controller, endpoint, fault }: OfEndpoint & { readonly fault: Finding }) =>
    `${controllerAt({ controller, endpoint })} ${fault.message}`,
  JujuConnectionBroke: ({ call, controller }: OfCall & OfController) =>
    `${couldNot(call)}: Juju controller ${controller} broke the connection. Try again.`,
  JujuEndpointNoAddress: (where: OfEndpoint) =>
    `${controllerAt(where)} is not an address such as 10.0.0.1:17070. Correct the endpoint.`,
  JujuFacadeMissing: ({ call, controller, version }: OfCall & OfController & { readonly version: string }) =>
    `${couldNot(call)}: Juju ${version} of controller ${controller} does not offer it. Upgrade the controller to Juju 3.6.`,
  JujuFaulty: (refused: OfCall & Cause) => `${saysOf(refused)} Check \`juju debug-log -m controller\`.`,
  JujuForbids: (refused: OfCall & Cause) =>
    `${saysOf(refused)} Actions need write access to the model, commands on machines need admin access. Ask an administrator for \`juju grant\`.`,
  JujuHasNoEndpoint: ({ controller }: OfController) => `Juju controller ${controller} has no endpoint.`,
  JujuHasNoSuch: (refused: OfCall & Cause) => saysOf(refused),
  JujuInputRefused: (refused: OfCall & Cause) => saysOf(refused),
  JujuLoginEmpty: ({ call }: OfCall) =>
    `${couldNot(call)}: the answer to the login was empty. Check \`juju debug-log -m controller\`.`,
  JujuLoginForbidden: ({ controller, user }: OfUser) =>
    `${user} may not log in to Juju controller ${controller}. Ask an administrator for \`juju grant ${user} login\`.`,
  JujuMachineUntold: () => 'a unit on a machine that the answer lacks',
  JujuModelAbsent: ({ controller, model, user, models }: OfUser & OfModels) =>
    `Juju controller ${controller} has no model ${model} that ${user} may see${models.total === 0 ? '' : `, only ${someNames(models, MOST_MODELS)}`}. Correct the model in the cloud's settings.`,
  JujuModelAmbiguous: ({ controller, model, models }: OfController & OfModels) =>
    `Several models of Juju controller ${controller} are called ${model}: ${someNames(models, MOST_MODELS)}. Name the owner too, in the cloud's settings.`,
  JujuModelsUnanswered: ({ call }: OfCall) => `${couldNot(call)}: it did not answer. Try again.`,
  JujuPasswordRefused: ({ controller, user }: OfUser) =>
    `Juju controller ${controller} refuses the password of ${user}. Correct it where the cloud's settings say it is, or run \`juju login\`.`,
  JujuRedirectsInCircle: ({ controller }: OfController) => `Juju controller ${controller} redirects in a circle.`,
  JujuSessionClosed: () => 'The session with Juju is closed.',
  JujuSilent: (where: OfEndpoint) =>
    `${controllerAt(where)} did not answer. Check that its machine runs and that the network allows the connection.`,
  JujuTaskCancelled: ({ task }: OfTask) => `Task ${task} was cancelled in Juju.`,
  JujuTaskEnded: ({
    call,
    task,
    status,
    output,
  }: OfCall & OfTask & { readonly status: string; readonly output: string }) =>
    `${couldNot(call)}: task ${task} of Juju is ${status}${output === '' ? '' : ` ("${output}")`}. Check \`juju show-task ${task}\`.`,
  JujuTaskLost: ({ call, task }: OfCall & OfTask) =>
    `${couldNot(call)}: Juju accepted it as task ${task}, then stopped answering. It may still run: check \`juju show-task ${task}\` before you try again.`,
  JujuTaskMayHaveBegun: ({ call, unit }: OfCall & { readonly unit: string }) =>
    `${couldNot(call)}: Juju did not report whether it started. Check \`juju operations --units ${unit}\` before you try again.`,
  JujuTaskNotBegun: ({ call }: OfCall) =>
    `${couldNot(call)}: the connection to Juju broke, and Juju did not start it. Try again.`,
  JujuTaskNotBegunInTime: ({ call, unit, withinMs, left }: Waited & { readonly unit: string }) =>
    `${couldNot(call)}: no agent started it within ${durationWords(withinMs)}. Check \`juju status ${unit}\`: the agent may be lost. ${left.message}`,
  JujuTaskNotCancelled: ({ task }: OfTask) => `It could not be cancelled: check \`juju show-task ${task}\`.`,
  JujuTaskNotEndedInTime: ({ call, task, withinMs, left }: Waited & OfTask) =>
    `${couldNot(call)}: task ${task} did not end within ${durationWords(withinMs)}. ${left.message}`,
  JujuTaskStillRuns: ({ task }: OfTask) => `It still runs in Juju: check \`juju show-task ${task}\`.`,
  JujuTaskWithoutId: ({ call }: OfCall) =>
    `${couldNot(call)}: Juju named no task for it. Check \`juju debug-log -m controller\`.`,
  JujuThrottles: (refused: OfCall & Cause) => `${saysOf(refused)} Try again.`,
  JujuWantsBrowser: ({ controller, user }: OfUser) =>
    `Juju controller ${controller} requires ${user} to log in with a browser, which a maintenance cannot wait for. Use an account with a password (\`juju add-user\`).`,
  NotAJujuAnswer: ({
    call,
    controller,
    version,
    output,
  }: OfCall & OfController & { readonly version: string; readonly output: string; readonly wrong: Finding | null }) =>
    `${couldNot(call)}: Juju ${version} of controller ${controller} sent an invalid answer (beginning with “${output}”). Lockkeeper ignored it.`,
  NotAJujuModelList: ({ call }: OfCall) =>
    `${couldNot(call)}: the answer is not a list of models. Lockkeeper ignored it.`,
  OtherThanJujuListens: () => 'Its certificate is not for juju-apiserver: another program listens there.',
  StoppedBeforeBegun: ({ call }: OfCall) => `Stopped before it started: ${call.message}.`,
  StoppedBeforeJuju: () => 'Stopped before Juju answered.',
  StoppedBeforeJujuConnected: (where: OfEndpoint) => `Stopped before ${controllerAt(where)} answered.`,
  StoppedWaitingForTask: ({ call, left }: OfCall & { readonly left: Finding }) =>
    `Stopped waiting: ${call.message}. ${left.message}`,
} satisfies TextsOf<string>

/** Requests to Juju, in the infinitive. */
export const JUJU_CALLS = {
  CancelJujuTask: ({ task }: OfTask) => `cancel task ${task} of Juju`,
  FindJujuModel: ({ model, controller }: OfController & { readonly model: string }) =>
    `find model ${model} on Juju controller ${controller}`,
  LogInToJuju: ({ controller, user }: OfUser) => `log in to Juju controller ${controller} as ${user}`,
  ReadJujuSettings: ({ application }: { readonly application: string }) =>
    `read the settings of application ${application} in Juju`,
  ReadJujuStatus: () => "read the status of Juju's model",
  ReadJujuTask: ({ task }: OfTask) => `read the progress of task ${task} of Juju`,
  RunJujuAction: ({ action, unit }: { readonly action: string; readonly unit: string }) => `run ${action} on ${unit}`,
  RunOnJujuUnit: ({ command, unit }: { readonly command: string; readonly unit: string }) =>
    `run \`${command}\` on ${unit}`,
} satisfies TextsOf<string>

/** `model`: as in the settings; `models`: those that the controller listed. */
type OfModels = { readonly model: string; readonly models: Names }

function couldNot({ message }: Finding): string {
  return `Could not ${message}`
}

function saysOf({ call, cause }: OfCall & Cause): string {
  return `${couldNot(call)}: Juju says "${cause}".`
}

function controllerAt({ controller, endpoint }: OfEndpoint): string {
  return `Juju controller ${controller} at ${endpoint}`
}
