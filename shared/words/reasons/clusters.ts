import type { TextsOf } from '../steps/coded.ts'

/** Texts of clusters, their files and credentials. */
export const CLUSTERS_REASONS = {
  CloudScopeUnusable: ({
    cloud,
    file,
    fault,
  }: {
    readonly cloud: string
    readonly file: string
    readonly fault: 'trust-and-other' | 'system-not-all'
  }) =>
    fault === 'trust-and-other'
      ? `Cloud ${cloud} in ${file} has a trust_id beside a project or a domain. A login is for one of them: remove the others.`
      : `Cloud ${cloud} in ${file} has a system_scope other than all. Write all, or name a project.`,
} satisfies TextsOf<string>
