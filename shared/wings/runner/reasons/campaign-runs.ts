import type { Cause, OfRun, TextsOf } from '../../../words/steps/coded.ts'

type OfCampaign = { readonly campaign: string }

export const CAMPAIGN_RUNS_REASONS = {
  // Answers of a campaign to a run that wants to start.
  CampaignAborted: ({ campaign, by, reason }: OfCampaign & { readonly by: string; readonly reason: string }) =>
    `${by} aborted its campaign ${campaign} before the run started${reason === '' ? '' : `: ${reason}`}.`,
  CampaignOver: ({ campaign, phase }: OfCampaign & { readonly phase: string }) =>
    `Its campaign ${campaign} has ended (${phase}) and starts no more runs. This run did not start. Plan again.`,
  CampaignUnread: ({ campaign, cause }: OfCampaign & Cause) =>
    `Lockkeeper could not read MaintenanceCampaign ${campaign}. ${cause}`,

  // Waits that need an operator.
  NoMaintenanceRunYet: ({ run }: OfRun) => `MaintenanceRun ${run} does not exist yet`,
  MaintenanceRunUnreadable: ({ run }: OfRun) => `this version cannot read ${run}`,
  MaintenanceRunOfNoCampaign: ({ run }: OfRun) => `MaintenanceRun ${run} names no campaign`,
  MaintenanceRunOfOtherCampaign: ({ run, campaign }: OfRun & OfCampaign) =>
    `MaintenanceRun ${run} names campaign ${campaign}`,
  StatusOfRunUnreadable: ({ run }: OfRun) => `this version cannot read the status of ${run}`,
  CampaignSpecUnreadable: ({ unreadable }: { readonly unreadable: string }) =>
    `This version cannot read it: ${unreadable}. Make it again; its runs wait for it.`,

  // Results of a control of a campaign.
  CampaignNotThere: ({ campaign }: OfCampaign) => `MaintenanceCampaign ${campaign} does not exist.`,
  CampaignNotReadable: ({ campaign }: OfCampaign) => `This version cannot read MaintenanceCampaign ${campaign}.`,
  CampaignEnded: ({ phase }: { readonly phase: string }) => `The campaign has ended: ${phase}.`,
  CampaignHeld: ({ hold }: { readonly hold: string }) => `The campaign already starts no more runs: it is ${hold}.`,
  CampaignPauses: () => `The campaign starts no more runs. ${RUNS_GO_ON}`,
  CampaignNotHeld: () => 'The campaign is not paused.',
  CampaignStaysAborted: () => 'The campaign was aborted and never starts another run.',
  CampaignOverBudget: ({ failed, budget }: { readonly failed: number; readonly budget: number }) =>
    failed === 1
      ? `1 of its runs is not done, and ${budget} may fail. Resume that run first; when it is done, resume the campaign.`
      : `${failed} of its runs are not done, and ${budget} may fail. Resume those runs first; when they are done, resume the campaign.`,
  CampaignResumes: () => 'The campaign starts its runs in their order again.',
  CampaignAbortedAlready: () => 'The campaign is already aborted.',
  CampaignAborts: () => `The campaign starts no more runs, and runs that have not started end. ${RUNS_GO_ON}`,
  ControlNotOfCampaigns: ({ control }: { readonly control: string }) =>
    `A campaign accepts only pause, resume and abort. Send ${control} to one of its runs.`,
} satisfies TextsOf<string>

const RUNS_GO_ON = 'Started runs continue to their end; you can pause or abort each of them.'
