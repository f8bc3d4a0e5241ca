import { asSentence, counted } from '../../grammar/counts.ts'
import {
  type Cause,
  type Finding,
  labelOf,
  messagesOf,
  type OfCluster,
  type OfInstance,
  type TextsOf,
} from '../steps/coded.ts'

export const VIEW_REASONS = {
  ClusterHasNoCloud: () => 'This cloud has no OpenStack credentials.',
  ClusterLostCloud: ({ cluster }: OfCluster) => `Cloud ${cluster} no longer has OpenStack credentials.`,
  ConsoleCloses: () => 'The console is closing.',
  CloudAnswerLacks: ({ lacks }: { readonly lacks: readonly Finding[] }) => messagesOf(lacks),
  CloudPartSilent: ({ cause }: Cause) => asSentence(cause),
  ListLacksInstance: ({ total, ...instance }: OfInstance & { readonly total: number }) =>
    `Nova's list of ${counted(total, 'instance')} lacks ${labelOf(instance)}, which exists.`,
  ListedInstanceNotKnown: ({ cause, ...instance }: OfInstance & Cause) =>
    `Nova's list lacks ${labelOf(instance)}, and Lockkeeper cannot tell whether it still exists: ${asSentence(cause)}`,
  ListLacksMany: ({ lacking, gone }: { readonly lacking: number; readonly gone: number }) =>
    `Nova's list lacks ${counted(lacking, 'instance')}; ${gone} no longer exist, and Lockkeeper checks the others with the next list.`,
  NoInstanceAndPlacementSilent: ({ cause }: Cause) =>
    `Nova lists no instance, and Placement did not answer: ${asSentence(cause)}`,
  NoInstanceDespiteAllocations: () => 'Nova lists no instance, although Placement has allocations on hosts.',
  NoComputeServiceAnyMore: ({ before }: { readonly before: number }) =>
    `Nova lists no compute service, although it listed ${before} before.`,
  MigrationModeUnknown: ({ mode, modes }: { readonly mode: string; readonly modes: readonly string[] }) =>
    `Its migration mode is "${mode}", not one of ${modes.join(', ')}. Lockkeeper treats it as manual; Rockoon fails on it with a KeyError.`,
  MigrationAttemptsUnknown: ({ attempts }: { readonly attempts: string }) =>
    `Its migration attempts are "${attempts}", not a whole number from 1 up: Lockkeeper uses the cloud's setting.`,
} satisfies TextsOf<string>
