import { PageHead } from '../parts/panel.tsx'

export default function MonitorEdit() {
  return <PageHead title="Edit monitor" />
}
