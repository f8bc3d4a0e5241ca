import type { Cause, OfRun, TextsOf } from '../steps/coded.ts'

type OfCampaign = { readonly campaign: string }

/** Texts of a runner about the runs of a campaign. */
export const CAMPAIGN_RUNS_REASONS = {
  // What its campaign says about beginning a run.
  CampaignAborted: ({ campaign, by, reason }: OfCampaign & { readonly by: string; readonly reason: string }) =>
    `Its campaign ${campaign} was aborted by ${by} before anything was begun${reason === '' ? '' : `: ${reason}`}.`,
  CampaignOver: ({ campaign, phase }: OfCampaign & { readonly phase: string }) =>
    `Its campaign ${campaign} is over (${phase}) and begins nothing more. Nothing was begun. Plan again.`,
  CampaignUnread: ({ campaign, cause }: OfCampaign & Cause) =>
    `MaintenanceCampaign ${campaign} could not be read. ${cause}`,

  // What it waits for that does not come by itself.
  NoMaintenanceRunYet: ({ run }: OfRun) => `there is no MaintenanceRun ${run} yet`,
  MaintenanceRunUnreadable: ({ run }: OfRun) => `${run} cannot be read by this version`,
  MaintenanceRunOfNoCampaign: ({ run }: OfRun) => `MaintenanceRun ${run} names no campaign`,
  MaintenanceRunOfOtherCampaign: ({ run, campaign }: OfRun & OfCampaign) =>
    `MaintenanceRun ${run} names campaign ${campaign}`,
  StatusOfRunUnreadable: ({ run }: OfRun) => `the status of ${run} cannot be read by this version`,
  CampaignSpecUnreadable: ({ unreadable }: { readonly unreadable: string }) =>
    `It cannot be read by this version: ${unreadable}. Make it again; its runs wait for it.`,

  // What a control of a campaign comes to.
  CampaignNotThere: ({ campaign }: OfCampaign) => `There is no MaintenanceCampaign ${campaign}.`,
  CampaignNotReadable: ({ campaign }: OfCampaign) => `MaintenanceCampaign ${campaign} cannot be read by this version.`,
  CampaignEnded: ({ phase }: { readonly phase: string }) => `The campaign is over: ${phase}.`,
  CampaignHeld: ({ hold }: { readonly hold: string }) => `Nothing more is begun as it is: the campaign is ${hold}.`,
  CampaignPauses: () => `Nothing more is begun. ${RUNS_GO_ON}`,
  CampaignNotHeld: () => 'Nothing holds it.',
  CampaignStaysAborted: () => 'The campaign was aborted: nothing more is ever begun.',
  CampaignOverBudget: ({ failed, budget }: { readonly failed: number; readonly budget: number }) =>
    failed === 1
      ? `1 of its runs is not done, and ${budget} may fail. Resume that run first; when it is done, resume the campaign.`
      : `${failed} of its runs are not done, and ${budget} may fail. Resume those runs first; when they are done, resume the campaign.`,
  CampaignResumes: () => 'Its runs are begun in their order again.',
  CampaignAbortedAlready: () => 'It was aborted already.',
  CampaignAborts: () => `Nothing more is begun, and runs that were not begun end. ${RUNS_GO_ON}`,
  ControlNotOfCampaigns: ({ control }: { readonly control: string }) =>
    `A campaign heeds pause, resume and abort. Ask ${control} of one of its runs.`,
} satisfies TextsOf<string>

const RUNS_GO_ON = 'Runs under way go on to their end; each can be paused or aborted by itself.'
