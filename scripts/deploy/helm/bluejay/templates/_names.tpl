{{/* The name of all objects: that of the release, with `bluejay` unless the release is called so. */}}
{{- define "bluejay.name" -}}
{{- if contains "bluejay" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-bluejay" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Labels that select the pods of a part. They must never change, because selectors of Deployments cannot. */}}
{{- define "bluejay.selector" -}}
app.kubernetes.io/name: bluejay
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{/* Labels of pods. Not the version of the chart: a new chart alone restarts nothing. */}}
{{- define "bluejay.podLabels" -}}
{{ include "bluejay.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
{{- with .root.Values.pods.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Labels of every object. */}}
{{- define "bluejay.labels" -}}
{{ include "bluejay.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "bluejay.image" -}}
{{- $image := .Values.image -}}
{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}{{ with $image.digest }}@{{ . }}{{ end }}
{{- end }}

{{/* Annotations of what runs before an installation or upgrade. `of` is job or needs. A failed Job is kept until the
next try, for its log. What the Jobs need is always kept: helm would remove it when it gives up waiting for a Job that
still runs. */}}
{{- define "bluejay.hook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ .weight | quote }}
helm.sh/hook-delete-policy: before-hook-creation{{ if eq .of "job" }},hook-succeeded{{ end }}
{{- end }}

{{/* The workers of `workers`: all but render. */}}
{{- define "bluejay.workers" -}}
fan-out,webhook-delivery,production,lifecycle,cleanup,scanner
{{- end }}
