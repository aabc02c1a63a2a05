import type { Catalogue } from '../translate.ts'
import accounts from './accounts.json' with { type: 'json' }
import alerting from './alerting.json' with { type: 'json' }
import app from './app.json' with { type: 'json' }
import core from './core.json' with { type: 'json' }
import data from './data.json' with { type: 'json' }
import forms from './forms.json' with { type: 'json' }
import incidents from './incidents.json' with { type: 'json' }
import maintenance from './maintenance.json' with { type: 'json' }
import monitors from './monitors.json' with { type: 'json' }
import movingIn from './moving-in.json' with { type: 'json' }
import onCall from './on-call.json' with { type: 'json' }
import overview from './overview.json' with { type: 'json' }
import parts from './parts.json' with { type: 'json' }
import reports from './reports.json' with { type: 'json' }
import servers from './servers.json' with { type: 'json' }
import shared from './shared.json' with { type: 'json' }
import signIn from './sign-in.json' with { type: 'json' }
import sites from './sites.json' with { type: 'json' }
import statusPages from './status-pages.json' with { type: 'json' }
import teams from './teams.json' with { type: 'json' }
import welcome from './welcome.json' with { type: 'json' }

/** A file for each room of the dashboard; `shared` has what several rooms say, `core` what core says. */
export const DASHBOARD: Catalogue = {
  ...accounts,
  ...alerting,
  ...app,
  ...core,
  ...data,
  ...forms,
  ...incidents,
  ...maintenance,
  ...monitors,
  ...movingIn,
  ...onCall,
  ...overview,
  ...parts,
  ...reports,
  ...servers,
  ...shared,
  ...signIn,
  ...sites,
  ...statusPages,
  ...teams,
  ...welcome,
}
