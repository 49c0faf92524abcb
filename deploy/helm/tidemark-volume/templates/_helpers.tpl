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

{{- /* What values.schema.json cannot say: how values have to fit together. All that is wrong is named at once. */ -}}
{{- define "tidemark-volume.check" -}}
{{- $wrong := list -}}
{{- $config := .Values.config -}}
{{- if not (lt (float64 $config.targetThreshold) (float64 $config.cleanupThreshold)) -}}
{{- $wrong = append $wrong (printf "config.targetThreshold=%v has to be below config.cleanupThreshold=%v" $config.targetThreshold $config.cleanupThreshold) -}}
{{- end -}}
{{- if and (ne (toString $config.criticalThreshold) "") (lt (float64 $config.criticalThreshold) (float64 $config.cleanupThreshold)) -}}
{{- $wrong = append $wrong (printf "config.criticalThreshold=%v has to be at least config.cleanupThreshold=%v" $config.criticalThreshold $config.cleanupThreshold) -}}
{{- end -}}
{{- if gt (int64 $config.fileQueueMinSize) (int64 $config.fileQueueMaxsize) -}}
{{- $wrong = append $wrong "config.fileQueueMinSize has to be at most config.fileQueueMaxsize" -}}
{{- end -}}
{{- if and $config.dryRun $config.shadow -}}
{{- $wrong = append $wrong "config.dryRun and config.shadow exclude each other" -}}
{{- end -}}
{{- if and .Values.pvc.readOnly (not (or $config.dryRun $config.shadow)) -}}
{{- $wrong = append $wrong "pvc.readOnly needs config.dryRun or config.shadow: nothing can be removed from a volume mounted read-only" -}}
{{- end -}}
{{- $own := list "TIDEMARK_HEAP" "PVC_MOUNT_PATH" "METRICS_ADDRESS" "METRICS_OPEN" -}}
{{- range $key, $value := $config -}}
{{- $own = append $own (snakecase $key | upper) -}}
{{- end -}}
{{- range .Values.extraEnv -}}
{{- if has .name $own -}}
{{- $wrong = append $wrong (printf "extraEnv has %s, which the chart sets: give its value instead" .name) -}}
{{- end -}}
{{- end -}}
{{- if $wrong -}}
{{- fail (join "; " $wrong) -}}
{{- end -}}
{{- end -}}
