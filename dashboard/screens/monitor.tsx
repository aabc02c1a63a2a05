import { PageHead } from '../parts/panel.tsx'

export default function Monitor() {
  return <PageHead title="Monitor" />
}
