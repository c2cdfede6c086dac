import { VizLegendOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

/** A diagram. Every query is an expression of PromQL and the name of its lines. */
export type Diagram = {
  title: string;
  /** What the diagram shows, and what to look for. */
  description: string;
  unit: 's' | 'percentunit' | 'short' | 'reqps' | 'bytes' | 'bool_yes_no';
  queries: readonly (readonly [expr: string, legend: string])[];
};

export type Section = { title: string; diagrams: readonly Diagram[] };

export type DashboardPlan = { uid: string; title: string; description: string; sections: readonly Section[] };

/** Three diagrams in a line: a dashboard of Grafana is 24 wide. */
const size = { width: 8, height: 7 };
const variable = 'datasource';
const datasource = { type: 'prometheus', uid: `$\{${variable}}` };

/** Returns the JSON model of a dashboard, which Grafana imports. Its only variable is the Prometheus. */
export function buildDashboard({ uid, title, description, sections }: DashboardPlan): Dashboard {
  const builder = new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['bluejay'])
    .refresh('1m')
    .time({ from: 'now-6h', to: 'now' })
    .timezone('browser')
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(new DatasourceVariableBuilder(variable).label('Prometheus').type('prometheus'));
  for (const section of sections) {
    builder.withRow(new RowBuilder(section.title));
    for (const diagram of section.diagrams) builder.withPanel(toPanel(diagram));
  }
  return builder.build();
}

function toPanel({ title, description, unit, queries }: Diagram): PanelBuilder {
  const panel = new PanelBuilder()
    .title(title)
    .description(description)
    .datasource(datasource)
    .unit(unit)
    .min(0)
    .legend(new VizLegendOptionsBuilder().showLegend(true))
    .height(size.height)
    .span(size.width);
  for (const [expr, legend] of queries) panel.withTarget(new DataqueryBuilder().expr(expr).legendFormat(legend));
  return panel;
}
