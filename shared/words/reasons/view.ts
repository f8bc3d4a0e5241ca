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

/** Texts of what the map shows. */
export const VIEW_REASONS = {
  ClusterHasNoCloud: () => 'This cluster has no OpenStack cloud.',
  ClusterLostCloud: ({ cluster }: OfCluster) => `Cluster ${cluster} has no OpenStack cloud any more.`,
  ConsoleCloses: () => 'The console is being closed.',
  ViewsTooMany: ({ cluster }: OfCluster) =>
    `Too many other clusters were looked at since; ${cluster} is no longer kept live. Open it again.`,
  CloudAnswerLacks: ({ lacks }: { readonly lacks: readonly Finding[] }) => messagesOf(lacks),
  CloudPartSilent: ({ cause }: Cause) => asSentence(cause),
  ListLacksInstance: ({ total, ...instance }: OfInstance & { readonly total: number }) =>
    `Nova's list of ${counted(total, 'instance')} lacks ${labelOf(instance)}, which is there.`,
  ListedInstanceNotKnown: ({ cause, ...instance }: OfInstance & Cause) =>
    `Nova's list lacks ${labelOf(instance)}, and whether it is gone cannot be told: ${asSentence(cause)}`,
  ListLacksMany: ({ lacking, gone }: { readonly lacking: number; readonly gone: number }) =>
    `Nova's list lacks ${counted(lacking, 'instance')}; ${gone} are gone, the others are asked for with the next list.`,
  NoInstanceAndPlacementSilent: ({ cause }: Cause) =>
    `Nova lists no instance, and Placement cannot be asked: ${asSentence(cause)}`,
  NoInstanceDespiteAllocations: () => 'Nova lists no instance, while Placement counts allocations on hosts.',
  NoComputeServiceAnyMore: ({ before }: { readonly before: number }) =>
    `Nova lists no compute service, and listed ${before} before.`,
  MigrationModeUnknown: ({ mode, modes }: { readonly mode: string; readonly modes: readonly string[] }) =>
    `Its migration mode is "${mode}", not one of ${modes.join(', ')}: treated as manual here; Rockoon itself fails on it with a KeyError.`,
  MigrationAttemptsUnknown: ({ attempts }: { readonly attempts: string }) =>
    `Its migration attempts are "${attempts}", not a whole number from 1 on: the cluster's setting is used.`,
} satisfies TextsOf<string>
