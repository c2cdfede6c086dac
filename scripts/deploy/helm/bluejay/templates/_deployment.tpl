{{/* The Deployment of a part: api, workers or render. `port` is that of its metrics and health checks. */}}
{{- define "bluejay.deployment" -}}
{{- $part := get .root.Values .part -}}
{{- $pods := .root.Values.pods -}}
{{- $shared := merge (dict "serviceAccount" (include "bluejay.name" .root) "temporaryFiles" $part.temporaryFiles) . -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "bluejay.name" .root }}-{{ .part }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{ include "bluejay.labels" . | nindent 4 }}
spec:
  {{- /* An autoscaler owns the number: a value here would reset it with each upgrade. */}}
  {{- if eq $part.autoscaling.by "none" }}
  replicas: {{ $part.replicas }}
  {{- end }}
  selector:
    matchLabels: {{ include "bluejay.selector" . | nindent 6 }}
  strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
  template:
    metadata:
      labels: {{ include "bluejay.podLabels" . | nindent 8 }}
      {{- with $pods.annotations }}
      annotations: {{ toYaml . | nindent 8 }}
      {{- end }}
    spec: {{ include "bluejay.pod" $shared | nindent 6 }}
      # A process ends within 28 s of SIGTERM, which comes after preStop.
      terminationGracePeriodSeconds: {{ add 35 (get $part "preStopSeconds" | default 0) }}
      topologySpreadConstraints:
        {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - topologyKey: {{ . }}
          maxSkew: 1
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{ include "bluejay.selector" $ | nindent 14 }}
          matchLabelKeys: [pod-template-hash]
        {{- end }}
      containers:
        - name: {{ .part }}
          {{- include "bluejay.container" $shared | nindent 10 }}
          command: [node, {{ .program }}]
          ports:
            {{- range $name, $number := .ports }}
            - { name: {{ $name }}, containerPort: {{ $number }}, protocol: TCP }
            {{- end }}
          {{- with $part.preStopSeconds }}
          lifecycle: { preStop: { sleep: { seconds: {{ . }} } } }
          {{- end }}
          # Startup and liveness ask no store: restarting a process brings none back.
          startupProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          # 503 without MongoDB. It fails after 20 s, which is longer than an election: a failover must not take all pods
          # out of the Service, because requests wait for the new primary.
          readinessProbe:
            httpGet: { path: /readyz, port: metrics }
            periodSeconds: 5
            timeoutSeconds: 6
            failureThreshold: 4
          resources: {{ toYaml $part.resources | nindent 12 }}
{{- end }}
