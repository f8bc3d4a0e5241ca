import { expect, out, show, test, tile, WHOLE_RUN } from './journey.ts'

test.use({ demo: false, speed: 1 })

test('a run outlives the closed window in the tray, keeps the machine awake, and tells when it is done @desktop-only', async ({
  console: { desktop },
  journey: { page },
}) => {
  test.skip(desktop === null, 'only the stand-in lets a journey see the desktop around the window')
  if (desktop === null) return
  await show(page, 'demo-plain', 'topology')
  await tile(page, 'cmp-01').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('e')
  await page.getByRole('dialog').getByRole('button', { name: 'Take cmp-01 out of service' }).click()
  await expect(out(page, 'Going out', 'cmp-01')).toBeVisible()
  expect(await desktop({ do: 'look' })).toMatchObject({ blockers: ['prevent-app-suspension'], trays: [] })

  await desktop({ do: 'script-dialog', answer: { response: 0 } })
  await desktop({ do: 'close-window' })
  await expect
    .poll(() => desktop({ do: 'look' }))
    .toMatchObject({
      dialogs: [{ method: 'showMessageBox', options: { message: 'A run is active in this window.' } }],
      trays: [{ toolTip: 'Lockkeeper: 1 run is active' }],
      windows: [{ visible: false }],
    })

  const title = 'cmp-01 of demo-plain is empty but for cache-01.'
  await expect
    .poll(() => desktop({ do: 'look' }), WHOLE_RUN)
    .toMatchObject({ notifications: [{ title }], trays: [], blockers: [], windows: [{ visible: true }] })
  await desktop({ do: 'click-notification', title })
  await expect(page).toHaveURL(/#\/c\/demo-plain\/history\/\w+$/)
  await expect(page.getByRole('main')).toContainText('cmp-01 is empty but for cache-01.')
})
