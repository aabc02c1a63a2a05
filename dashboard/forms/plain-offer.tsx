import type { MonitorType } from '../../src/core/monitors/monitor.ts'
import { t } from '../language/language.ts'
import { Button } from '../parts/button.tsx'
import { plainUrlOf } from './target.ts'
import type { Form } from './use-form.ts'

/**
 * Offers http in place of https for a bare address, which rarely has a certificate. Null if there is nothing to offer.
 */
export function plainOffer(type: MonitorType, form: Form) {
  const plain = plainUrlOf(type, String(form.draft.url))
  if (plain === null) return null
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {t('A bare address rarely has a certificate.')}
      <Button size="small" onClick={() => form.set('url', plain)}>
        {t('Use {url}', { url: plain })}
      </Button>
    </span>
  )
}
