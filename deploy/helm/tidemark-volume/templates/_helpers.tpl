{{- define "tidemark-volume.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "tidemark-volume.selector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tidemark-volume.labels" -}}
{{ include "tidemark-volume.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/component: storage-cleanup
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "tidemark-volume.check" -}}
{{- if not .Values.pvc.name -}}
{{- fail "pvc.name is required: the claim that holds the cache" -}}
{{- end -}}
{{- if kindIs "invalid" .Values.securityContext.container.runAsUser -}}
{{- fail "securityContext.container.runAsUser is required: a user that may remove the cache's files" -}}
{{- end -}}
{{- if not (lt (float64 .Values.config.targetThreshold) (float64 .Values.config.cleanupThreshold)) -}}
{{- fail "config.targetThreshold has to be below config.cleanupThreshold" -}}
{{- end -}}
{{- end -}}
